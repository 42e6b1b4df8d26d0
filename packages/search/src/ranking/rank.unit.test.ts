import { describe, expect, it } from 'vitest'
import type { SearchRequest } from '../search-index.ts'
import type { Candidate } from './candidate.ts'
import { candidateCount, order, select } from './rank.ts'

const candidate = (id: string, keyword: number, cosine: number, model: Candidate['model'] = 'embedding') => ({
  id,
  keyword,
  cosine,
  model,
})
const request = { query: 'Which charges apply when somebody loses their office key', topK: 10 }
const ranked = (candidates: ReturnType<typeof candidate>[], more: Partial<SearchRequest> = {}) =>
  select({ ...request, ...more }, order({ ...request, ...more }, candidates), () => 0)
const ids = (...args: Parameters<typeof ranked>) => ranked(...args).map(({ candidate: { id } }) => id)
const scores = (...args: Parameters<typeof ranked>) => ranked(...args).map(({ score }) => score)

describe('ranking', () => {
  it('weighs vectors by their model', () => {
    const candidates = (model: Candidate['model']) => [candidate('a', 0.26, 0, model), candidate('b', 0, 0.6, model)]
    expect(ids(candidates('embedding'))).toEqual(['b', 'a'])
    expect(ids(candidates('static'))).toEqual(['a', 'b'])
  })

  it('weighs vectors by how well their model knows the language of the query', () => {
    const candidates = [candidate('word', 0.2, 0.3), candidate('meaning', 0, 0.7)]
    expect(ids(candidates)).toEqual(['meaning', 'word'])
    for (const query of [
      'Сколько стоит потерянный ключ?',
      '丢失钥匙的费用是多少',
      'กุญแจหายต้องจ่ายเท่าไร',
      'Kaybolan anahtarın ücreti ne kadar?',
    ])
      expect(ids(candidates, { query })).toEqual(['word', 'meaning'])
    const embedding = { model: 'multilingual', vector: Float32Array.of(1) }
    expect(ids(candidates, { query: 'Сколько стоит потерянный ключ?', embedding })).toEqual(['meaning', 'word'])
  })

  it('scores by what passages have in common with the query, not relative to the best', () => {
    const [strong = 0] = scores([candidate('a', 0.5, 0.7)])
    const [weak = 1] = scores([candidate('a', 0.05, 0.15)])
    expect(strong).toBeGreaterThan(0.9)
    expect(weak).toBeLessThan(0.1)
  })

  it('is less sure of a passage if many others are about as good', () => {
    const others = Array.from({ length: 20 }, (_, at) => candidate(`other ${at}`, 0.35, 0.5))
    const [alone = 0] = scores([candidate('a', 0.4, 0.6)])
    const [among = 1] = scores([candidate('a', 0.4, 0.6), ...others])
    expect(among).toBeLessThan(alone)
  })

  it('is less sure of a passage if another one is as good, unless that has the same text', () => {
    const [alone = 0] = scores([candidate('a', 0.4, 0.6), candidate('b', 0.1, 0.2)])
    const [beside = 1, second = 1] = scores([candidate('a', 0.4, 0.6), candidate('b', 0.4, 0.5)])
    expect(beside).toBeLessThan(alone)
    expect(second).toBeLessThan(beside)
    const twice = scores([candidate('a', 0.4, 0.6), candidate('again', 0.4, 0.6), candidate('b', 0.1, 0.2)])
    expect(twice.slice(0, 2)).toEqual([alone, alone])
  })

  it('ignores weights if there are no vectors', () => {
    const alone = [candidate('a', 0.5, 0, null)]
    expect(scores(alone, { weights: { vector: 1, keyword: 0 } })).toEqual(scores(alone))
  })

  it('omits candidates that score nothing, and keeps the order of equals', () => {
    expect(ids([candidate('a', 0, -0.5), candidate('b', 1, 0), candidate('c', 1, 0)])).toEqual(['b', 'c'])
    expect(ids([candidate('a', 0, -0.5), candidate('b', 1, 0.5)], { mode: 'vector' })).toEqual(['b'])
  })

  it('asks for more candidates than results, and for more again to select from', () => {
    expect(candidateCount({ query: 'x', topK: 10 })).toBe(100)
    expect(candidateCount({ query: 'x', topK: 200 })).toBe(200)
    expect(candidateCount({ query: 'x', topK: 50, rerank: 'mmr' })).toBe(150)
  })
})
