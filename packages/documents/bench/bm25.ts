/** A small keyword search, the same for every splitter that is compared. */
export class KeywordIndex {
  readonly #postings = new Map<string, [document: number, count: number][]>()
  readonly #lengths: number[] = []

  constructor(texts: string[]) {
    texts.forEach((text, document) => {
      const counts = new Map<string, number>()
      const words = splitWords(text)
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const [word, count] of counts) {
        const postings = this.#postings.get(word)
        if (postings) postings.push([document, count])
        else this.#postings.set(word, [[document, count]])
      }
      this.#lengths.push(words.length)
    })
  }

  top(query: string, limit: number): number[] {
    const documents = this.#lengths.length
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / documents
    const scores = new Map<number, number>()
    for (const word of new Set(splitWords(query))) {
      const postings = this.#postings.get(word) ?? []
      const rarity = Math.log(1 + (documents - postings.length + 0.5) / (postings.length + 0.5))
      for (const [document, count] of postings) {
        const length = 1.2 * (1 - 0.75 + (0.75 * (this.#lengths[document] ?? 0)) / average)
        scores.set(document, (scores.get(document) ?? 0) + (rarity * count * 2.2) / (count + length))
      }
    }
    return [...scores]
      .sort(([first, a], [second, b]) => b - a || first - second)
      .slice(0, limit)
      .map(([document]) => document)
  }
}

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
