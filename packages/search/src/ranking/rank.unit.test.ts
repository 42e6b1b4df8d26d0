import { describe, expect, it } from 'vitest'
import type { Candidate } from './candidate.ts'
import { candidateCount, order, select } from './rank.ts'

const candidate = (id: string, keyword: number, cosine: number, model: Candidate['model'] = 'embedding') => ({
  id,
  keyword,
  cosine,
  model,
})
const request = { query: 'x', topK: 10 }
const unlike = () => 0
const ranked = (candidates: ReturnType<typeof candidate>[], more: object = {}, similarity = unlike) =>
  select({ ...request, ...more }, order({ ...request, ...more }, candidates), similarity).map(
    ({ candidate: { id }, score }) => [id, Math.round(score * 1000) / 1000],
  )

describe('ranking', () => {
  it('weighs vectors by their model', () => {
    expect(ranked([candidate('a', 4, 0), candidate('b', 0, 0.4)])).toEqual([
      ['a', 0.5],
      ['b', 0.5],
    ])
    expect(ranked([candidate('a', 4, 0, 'static'), candidate('b', 0, 0.4, 'static')])).toEqual([
      ['a', 0.7],
      ['b', 0.3],
    ])
    expect(ranked([candidate('a', 4, 0, 'static'), candidate('b', 0, 0.4)])).toEqual([
      ['a', 0.6],
      ['b', 0.4],
    ])
  })

  it('compares cosines within each model', () => {
    const candidates = [candidate('a', 0, 0.2, 'static'), candidate('b', 0, 0.8), candidate('c', 0, 0.4)]
    expect(ranked(candidates)).toEqual([
      ['a', 0.433],
      ['b', 0.433],
      ['c', 0.217],
    ])
  })

  it('ignores weights if there are no vectors', () => {
    expect(ranked([candidate('a', 2, 0, null)], { weights: { vector: 1, keyword: 0 } })).toEqual([['a', 1]])
  })

  it('omits candidates that score nothing, and keeps the order of equals', () => {
    expect(ranked([candidate('a', 0, -0.5), candidate('b', 1, 0), candidate('c', 1, 0)])).toEqual([
      ['b', 0.5],
      ['c', 0.5],
    ])
    expect(ranked([candidate('a', 0, -0.5), candidate('b', 9, 0.5)], { mode: 'vector' })).toEqual([['b', 0.5]])
  })

  it('asks for more candidates than results, and for more again to select from', () => {
    expect(candidateCount({ query: 'x', topK: 10 })).toBe(100)
    expect(candidateCount({ query: 'x', topK: 200 })).toBe(200)
    expect(candidateCount({ query: 'x', topK: 50, rerank: 'mmr' })).toBe(150)
  })
})
