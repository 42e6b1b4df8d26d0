import { answerFrom, joinBeginnings, type RankOptions, statementsIn } from '@parley/local-model'
import { partTexts } from './input-parts.ts'
import { factsInstruction, parseRecalled, rememberToolName, summaryInstruction } from './memory-prompt.ts'
import type { ModelMessage, ToolSpec } from './model.ts'

const maxSummary = 1500

/** Quoted texts by what stands before them, as in `user: "Hi"`. */
const quotedLines = (text: string): { label: string; value: string }[] =>
  text.split('\n').flatMap((line) => {
    const [, label, quoted] = /^([^:"]+): (".*")$/.exec(line) ?? []
    if (label === undefined || quoted === undefined) return []
    try {
      return [{ label, value: JSON.parse(quoted) as string }]
    } catch {
      return []
    }
  })

/** The answer to a request for facts or for a summary. Null for every other request. */
export function answerInstruction([system, request]: readonly ModelMessage[]): string | null {
  if (system?.role !== 'system' || !request) return null
  const lines = quotedLines(request.content)
  if (system.content === summaryInstruction) {
    const texts = lines.filter(({ label }) => label !== 'assistant').map(({ value }) => value)
    return joinBeginnings(texts, maxSummary)
  }
  if (system.content !== factsInstruction) return null
  const facts = lines.flatMap(({ label, value }) =>
    /^\d+$/.test(label)
      ? statementsIn(value).map((content) => ({ content, message: Number(label), replaces: null }))
      : [],
  )
  return JSON.stringify(facts)
}

/** The first statement of the user about themselves, if the agent can remember it. */
export function toRemember(question: string, tools: readonly Pick<ToolSpec, 'name'>[]): string | null {
  if (!tools.some(({ name }) => name === rememberToolName)) return null
  return statementsIn(question)[0] ?? null
}

/** The words before the question proper, as in "Do you remember where I live?". */
const leadIn =
  /^(?:do you (?:still )?(?:know|remember)|can you tell me|tell me|wei(?:ß|ss)t du(?: noch)?|kannst du mir sagen|sag mir),?\s+/iu

/** The remembered fact that answers a question, in the words in which it was told. */
export async function answerFromMemory(
  question: string,
  message: ModelMessage | undefined,
  rank: RankOptions,
): Promise<string | null> {
  const facts = (message ? partTexts(message) : []).flatMap((text) => parseRecalled(text) ?? [])
  if (facts.length === 0) return null
  const passages = facts.map(({ content }) => ({ content, headings: [], kind: 'found' as const, citation: null }))
  const { grade, text } = await answerFrom(question.replace(leadIn, ''), passages, rank)
  return grade === 'answer' ? text : null
}
