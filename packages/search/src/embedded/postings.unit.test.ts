import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allSet, type Bitmap, bitmapFor, clearBit, setBit } from './bitmap.ts'
import { Postings } from './postings.ts'

interface Text {
  terms: Map<number, number>
  length: number
}

function makeText(words: number[]): Text {
  const terms = new Map<number, number>()
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1)
  return { terms, length: words.length }
}

function add(postings: Postings, passage: number, { terms, length }: Text): void {
  const sorted = [...terms].sort(([one], [other]) => one - other)
  const counts = sorted.map(([, count]) => count)
  postings.add(
    passage,
    length,
    Uint32Array.from(sorted, ([term]) => term),
    Uint8Array.from(counts),
  )
}

/** BM25 by its definition, over the texts that are left. */
function bm25(texts: (Text | undefined)[], query: number[], passage: number): number {
  const left = texts.filter((text) => text !== undefined)
  const average = left.reduce((sum, { length }) => sum + length, 0) / left.length
  const text = texts[passage] as Text
  let [score, maxScore] = [0, 0]
  for (const term of query) {
    const having = left.filter(({ terms }) => terms.has(term)).length
    const rarity = Math.log(1 + (left.length - having + 0.5) / (having + 0.5))
    const count = text.terms.get(term) ?? 0
    score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * text.length) / average))
    maxScore += rarity * 2.2
  }
  return score / maxScore
}

/** Postings, and the scores of all passages for a query. */
function empty() {
  const postings = new Postings()
  const scored = (query: Parameters<Postings['search']>[0], passages: number, selected?: Bitmap): number[] => {
    postings.search(query, allSet(passages), 0, selected)
    return Array.from({ length: passages }, (_, passage) => postings.coverage(passage))
  }
  return { postings, scored }
}

const makeQuery = (terms: number[]) => terms.map((term) => ({ terms: [term], weight: 1 }))

describe('postings', () => {
  it('score as BM25 does, as a share of the highest score, whatever is added, removed and selected', () => {
    const words = fc.array(
      fc.integer({ min: 0, max: 12 }).map((word) => Math.imul(word, 0x9e3779b1) >>> 0),
      { minLength: 1 },
    )
    const text = fc.record({ words, isRemoved: fc.boolean(), isSelected: fc.boolean() })
    const texts = fc.array(text, { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(texts, words, (generated, query) => {
        const { postings, scored } = empty()
        const all = generated.map(({ words: some }) => makeText(some))
        for (const [passage, text] of all.entries()) add(postings, passage, text)
        generated.forEach(({ isRemoved }, passage) => {
          if (isRemoved) postings.remove(passage, Uint32Array.from((all[passage] as Text).terms.keys()))
        })
        const left = all.map((text, passage) => (generated[passage]?.isRemoved ? undefined : text))
        const unique = [...new Set(query)]
        const scores = scored(makeQuery(unique), all.length)
        left.forEach((text, passage) => {
          if (text) expect(scores[passage]).toBeCloseTo(bm25(left, unique, passage), 4)
        })
        const chosen = left.map((text, passage) => (generated[passage]?.isSelected ? text : undefined))
        const selected = bitmapFor(all.length)
        for (const [passage, text] of chosen.entries()) if (text) setBit(selected, passage)
        const scoresOfChosen = scored(makeQuery(unique), all.length, selected)
        chosen.forEach((text, passage) => {
          if (text) expect(scoresOfChosen[passage]).toBeCloseTo(bm25(chosen, unique, passage), 4)
        })
      }),
    )
  })

  it('find all passages of a term whose chain spans many blocks', () => {
    const { postings, scored } = empty()
    const count = 70_000
    for (let passage = 0; passage < count; passage++) {
      add(postings, passage, makeText(passage % 2 === 0 ? [1, passage + 10] : [passage + 10]))
    }
    expect(scored(makeQuery([1]), count).every((score, passage) => score > 0 === (passage % 2 === 0))).toBe(true)
    expect(scored(makeQuery([69_999 + 10]), count).findIndex((score) => score > 0)).toBe(69_999)
  })

  it('count the stems of one word in two languages as one word', () => {
    const { postings, scored } = empty()
    for (let passage = 0; passage < 9; passage++) add(postings, passage, makeText([passage === 8 ? 2 : 1]))
    const separate = scored(makeQuery([1, 2]), 9)
    const together = scored([{ terms: [1, 2, 3], weight: 1 }], 9)
    expect(separate[8]).toBeGreaterThan(separate[0] as number)
    expect(together[8]).toBeCloseTo(together[0] as number)
  })

  it('score nothing for terms that were never added', () => {
    const { postings, scored } = empty()
    add(postings, 0, makeText([1]))
    expect(scored(makeQuery([7]), 1)).toEqual([0])
  })

  it('return the best of the allowed passages', () => {
    const { postings } = empty()
    for (let passage = 0; passage < 100; passage++) {
      add(
        postings,
        passage,
        makeText([...Array.from({ length: passage + 1 }, () => 1), ...Array.from({ length: 100 - passage }, () => 2)]),
      )
    }
    const allowed = allSet(100)
    clearBit(allowed, 98)
    expect([...postings.search(makeQuery([1]), allowed, 3)].sort()).toEqual([96, 97, 99])
    expect([...postings.search(makeQuery([1]), bitmapFor(100), 3)]).toEqual([])
  })
})
