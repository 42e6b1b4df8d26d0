import type { WireChunk } from './openai-wire.ts'

/** A longer piece of a string is not copied but keeps the whole of it alive, here all that came in one packet. */
const longestCopied = 12
const mostAttempts = 3
const probe = 'probe'

/**
 * Most chunks of a reply differ only in their few characters of text, and parsing them is most of what a reply costs.
 * So what stands before and after the text is learnt from one chunk, and in those that are the same around it the text
 * is simply cut out. Whatever is not certain is left to be parsed.
 */
export class ChunkPattern {
  private before = ''
  private after = ''
  private attempts = 0

  /** The text of a chunk that is like the one that was learnt, or null. */
  textIn(data: string): string | null {
    if (this.before === '') return null
    const length = data.length - this.before.length - this.after.length
    if (length <= 0 || length > longestCopied) return null
    const end = this.before.length + length
    // Comparing slices is several times faster than startsWith, which goes character by character.
    if (data.slice(0, this.before.length) !== this.before || data.slice(end) !== this.after) return null
    const text = data.slice(this.before.length, end)
    return text.includes('"') || text.includes('\\') ? null : text
  }

  /** Learns from a chunk, given what it says, unless a few others could not be learnt from. */
  learn(data: string, chunk: WireChunk): void {
    if (this.attempts >= mostAttempts) return
    const text = onlyText(chunk)
    if (text === null) return
    this.attempts++
    const written = JSON.stringify(text)
    const place = data.lastIndexOf(`:${written}`) + 1
    if (place === 0) return
    const before = data.slice(0, place + 1)
    const after = data.slice(place + written.length - 1)
    // The same characters may stand in another field, so it is tried out.
    if (onlyText(JSON.parse(before + probe + after) as WireChunk) !== probe) return
    this.before = before
    this.after = after
  }
}

/** The text of a chunk that holds nothing else of interest. */
function onlyText({ choices, usage, error }: WireChunk): string | null {
  const choice = choices?.[0]
  if (!choice?.delta || choice.finish_reason || choice.delta.tool_calls || usage || error) return null
  const { content } = choice.delta
  return typeof content === 'string' && content !== '' ? content : null
}
