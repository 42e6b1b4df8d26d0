import type { CitablePassage, Citation } from './agent-tool.ts'
import { marksIn } from './citations.ts'

/** A citation, and where its `[n]` stands in the text. */
export interface MarkedCitation extends Citation {
  mark: { start: number; end: number }
}

/** The passages that the tools of one reply have found, numbered consecutively. */
export class FoundPassages {
  /** A citation for every passage, with the quote that matches the search best. */
  readonly citations: Citation[]
  readonly #passages = new Map<number, { text: string; start: number }>()

  /** Continues with the citations of a reply that was paused. Their passages are no longer known. */
  constructor(citations: Citation[] = []) {
    this.citations = citations
  }

  /** Every passage in the order it was found, whether the reply cites it or not. */
  get all(): (Citation & { content: string })[] {
    return this.citations.map((citation) => ({
      ...citation,
      content: this.#passages.get(citation.index)?.text ?? citation.quote,
    }))
  }

  get count(): number {
    return this.citations.length
  }

  add(toolCallId: string, passages: CitablePassage[] = []): void {
    for (const { passage, ...citation } of passages) {
      const index = this.citations.push({ ...citation, index: this.count + 1, tool_call_id: toolCallId })
      if (passage) this.#passages.set(index, passage)
    }
  }

  /** The passages that one call has found, as its tool returned them. */
  foundBy(toolCallId: string): CitablePassage[] {
    const own = this.citations.filter(({ tool_call_id }) => tool_call_id === toolCallId)
    return own.map(({ index, tool_call_id, ...citation }) => {
      const passage = this.#passages.get(index)
      return { ...citation, ...(passage && { passage }) }
    })
  }

  /** Every `[n]` of a text in order, with the words that its statement rests on. */
  async markedIn(text: string): Promise<MarkedCitation[]> {
    if (this.count === 0) return []
    const texts = new Map([...this.#passages].map(([index, passage]) => [index, passage.text]))
    return (await marksIn(text, texts)).flatMap(({ index, start, end, quote, mark }) => {
      const citation = this.citations[index - 1]
      const offset = this.#passages.get(index)?.start ?? 0
      return citation ? [{ ...citation, start: offset + start, end: offset + end, quote, mark }] : []
    })
  }

  /** The citations that a text uses, each once, by number. */
  async usedIn(text: string): Promise<Citation[]> {
    const used = new Map<string, Citation>()
    for (const { mark, ...citation } of await this.markedIn(text))
      used.set(`${citation.index} ${citation.start} ${citation.end}`, citation)
    // Citations from before a pause stay as they were.
    const earlier = this.citations.filter(({ index }) => !this.#passages.has(index) && text.includes(`[${index}]`))
    return [...used.values(), ...earlier].sort((one, other) => one.index - other.index)
  }
}
