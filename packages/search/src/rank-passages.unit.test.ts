import { expect, it } from 'vitest'
import { prepare } from './preparation.ts'
import { rankPassages } from './rank-passages.ts'

const texts = [
  'The pump must be primed with water before it starts.',
  'Green tea is brewed at 80 degrees for two minutes.',
  'Invoices are paid within thirty days.',
  'Der Mietvertrag endet am 31. Dezember.',
]
const passages = texts.map((text) => prepare({ headings: [], text }))
const readText = (passage: number) => texts[passage] ?? ''
const found = (query: string, topK = 1) =>
  rankPassages(passages, query, topK, readText).map(({ passage }) => texts[passage])

it('ranks passages by their words, in the forms of their language, and by their meaning', () => {
  expect(found('How hot do I brew green teas?')).toEqual([texts[1]])
  expect(found('priming pumps')).toEqual([texts[0]])
  expect(found('Wann endet der Mietvertrag?')).toEqual([texts[3]])
  expect(found('paying an invoice', 2)[0]).toBe(texts[2])
})

it('returns at most as many as asked for, best first, with scores from 0 to 1', () => {
  const ranked = rankPassages(passages, 'water for the pump', 2, readText)
  expect(ranked).toHaveLength(2)
  expect(ranked[0]?.score).toBeGreaterThan(ranked[1]?.score ?? 1)
  for (const { score } of ranked) expect(score).toBeLessThanOrEqual(1)
  expect(rankPassages([], 'water', 3, readText)).toEqual([])
})

it('returns one of the passages with the same text', () => {
  const twice = [...passages, ...passages]
  const ranked = rankPassages(twice, 'water for the pump', 4, (passage) => texts[passage % texts.length] ?? '')
  expect(ranked.map(({ passage }) => passage)).not.toContain(texts.length)
  expect(ranked[0]?.passage).toBe(0)
})
