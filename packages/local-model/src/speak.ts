import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GenerateRequest } from '../../../server/src/kernel/llm/model.ts'

const charactersOfToken = 4
/** Words that are said before others get their turn. */
const breath = 200

/** An estimate, the same for what goes in and what comes out: nothing here counts in tokens. */
export const tokensIn = (...texts: string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charactersOfToken)

/** Says a text word by word, as far as the limit allows, and gives back what was said. */
export async function speak(
  text: string,
  { onText, signal, maxTokens }: Pick<GenerateRequest, 'onText' | 'signal' | 'maxTokens'>,
): Promise<{ said: string; isCut: boolean }> {
  const allowed = maxTokens === null ? text : cut(text, maxTokens * charactersOfToken)
  // What has no spaces comes in pieces of no more than so many characters.
  const words = allowed.match(/\s*\S{1,24}|\s+$/gu) ?? []
  for (const [place, word] of words.entries()) {
    if (place > 0 && place % breath === 0) await nextTurn()
    signal.throwIfAborted()
    onText(word)
  }
  return { said: words.join(''), isCut: allowed.length < text.length }
}

/** A character of two units is not torn apart. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = Math.max(0, Math.floor(length))
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end)
}
