import { analysePassage, analyseQuery } from '@parley/search/analyse'
import type { Section } from './render.ts'

export interface Entry extends Section {
  url: string
  page: string
}

export interface Hit extends Entry {
  excerpt: string
}

interface Prepared {
  entry: Entry
  text: Map<number, number>
  heading: Set<number>
  page: Set<number>
}

const english = 1
const maxHits = 20
const excerptLength = 220

/** Finds sections by their words, stemmed; those of headings and titles count more. */
export class DocsSearch {
  readonly #sections: Prepared[]

  constructor(entries: Entry[]) {
    this.#sections = entries.map((entry) => {
      const { terms, counts } = analysePassage(entry.text, english)
      const text = new Map([...terms].map((term, at) => [term, counts[at] as number]))
      return { entry, text, heading: indexTerms(entry.heading), page: indexTerms(entry.page) }
    })
  }

  find(query: string): Hit[] {
    const words = analyseQuery(query, [english])
    const weights = words.map(({ terms }) => {
      const having = this.#sections.filter(({ text, heading }) =>
        terms.some((term) => text.has(term) || heading.has(term)),
      )
      return Math.log(1 + this.#sections.length / (1 + having.length))
    })
    const scored = this.#sections.flatMap(({ entry, text, heading, page }) => {
      let score = 0
      let matched = 0
      words.forEach(({ terms }, at) => {
        const count = Math.max(...terms.map((term) => text.get(term) ?? 0))
        const inHeading = terms.some((term) => heading.has(term))
        const inPage = terms.some((term) => page.has(term))
        if (count > 0 || inHeading || inPage) matched++
        score += (weights[at] as number) * (count / (count + 1.5) + (inHeading ? 2 : 0) + (inPage ? 1 : 0))
      })
      return matched < Math.ceil(words.length / 2) || score === 0
        ? []
        : [{ entry, score: score * (matched / words.length) }]
    })
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, maxHits)
      .map(({ entry }) => ({ ...entry, excerpt: excerpt(entry.text, query) }))
  }
}

const indexTerms = (text: string): Set<number> => new Set(analysePassage(text, english).terms)

/** The text around the first word of the query, or its beginning. */
function excerpt(text: string, query: string): string {
  const lower = text.toLowerCase()
  const positions = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 3)
    .map((word) => lower.indexOf(word))
    .filter((index) => index >= 0)
  const around = Math.max(0, Math.min(...positions, text.length) - 60)
  const start = positions.length === 0 || around === 0 ? 0 : text.indexOf(' ', around) + 1
  const part = text.slice(start, start + excerptLength).trim()
  return `${start > 0 ? '… ' : ''}${part}${start + excerptLength < text.length ? ' …' : ''}`
}
