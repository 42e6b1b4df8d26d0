import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toTerm } from '../src/rank/question.ts'
import { detectLanguage } from '../src/text/language.ts'
import { eachWord } from '../src/text/words.ts'

export interface Paragraph {
  id: string
  text: string
}

export interface Case {
  question: string
  answer: string
  /** The paragraph that the answer was marked in. */
  gold: Paragraph
}

/** Questions with the paragraph that answers them and the marked answer in it. */
export function readCases(folder: string, set: string): Case[] {
  const lines = (name: string) =>
    readFileSync(join(folder, set, name), 'utf8')
      .trim()
      .split('\n')
  const paragraphs = new Map(
    lines('corpus.jsonl').map((line): [string, Paragraph] => {
      const { _id: id, text } = JSON.parse(line)
      return [id, { id, text }]
    }),
  )
  const golds = new Map(lines('qrels.tsv').map((line) => line.split('\t') as [string, string]))
  return lines('queries.jsonl').flatMap((line) => {
    const { _id, text, answer } = JSON.parse(line)
    const gold = paragraphs.get(golds.get(_id) ?? '')
    return gold ? [{ question: text, answer, gold }] : []
  })
}

export const articleId = ({ id }: Paragraph): string => id.split('_')[0] ?? id

/** A plain BM25 search, so that the sentences can also be chosen among passages that only look right. */
export class ParagraphSearch {
  private readonly documents: { paragraph: Paragraph; counts: Map<string, number>; length: number }[]
  private readonly having = new Map<string, number>()
  private readonly meanLength: number

  constructor(paragraphs: Paragraph[]) {
    this.documents = paragraphs.map((paragraph) => {
      const terms = extractTerms(paragraph.text)
      const counts = new Map<string, number>()
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
      for (const term of counts.keys()) this.having.set(term, (this.having.get(term) ?? 0) + 1)
      return { paragraph, counts, length: terms.length }
    })
    this.meanLength = this.documents.reduce((sum, { length }) => sum + length, 0) / this.documents.length
  }

  best(question: string, count: number, isWanted: (paragraph: Paragraph) => boolean = () => true): Paragraph[] {
    const terms = new Set(extractTerms(question))
    const scored = this.documents
      .filter(({ paragraph }) => isWanted(paragraph))
      .map(({ paragraph, counts, length }) => {
        let score = 0
        for (const term of terms) score += this.weight(term, counts.get(term) ?? 0, length)
        return { paragraph, score }
      })
    return scored
      .sort((one, other) => other.score - one.score)
      .slice(0, count)
      .map(({ paragraph }) => paragraph)
  }

  private weight(term: string, count: number, length: number): number {
    const having = this.having.get(term) ?? 0
    const rarity = Math.log(1 + (this.documents.length - having + 0.5) / (having + 0.5))
    return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / this.meanLength))
  }
}

function extractTerms(text: string): string[] {
  const language = detectLanguage(text)
  const terms: string[] = []
  eachWord(text, 0, text.length, (word) => terms.push(toTerm(word, language)))
  return terms
}
