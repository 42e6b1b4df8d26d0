import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createLocalReranker } from './local-reranker.ts'

const sample = fileURLToPath(new URL('../../test/sample-reranker.ts', import.meta.url))
const reranker = createLocalReranker(sample)
afterAll(() => reranker.close())

const worth = (...values: number[]) => values.map((value) => `worth ${value}`)
const patient = { budgetMs: 20_000 }

it('scores pairs in a thread, in the order of the passages', async () => {
  const values = Array.from({ length: 30 }, (_, at) => (at * 7) % 30)
  expect(await reranker.rerank('query', worth(...values), patient)).toEqual({ scores: values, error: null })
  expect(reranker.name()).toBe('sample-reranker')
  expect(await reranker.rerank('query', [], patient)).toEqual({ scores: [], error: null })
})

it('shares batches between searches', async () => {
  const fresh = createLocalReranker(sample) // whose batches are of the size before the first was measured
  onTestFinished(() => fresh.close())
  const searches = ['one', 'two', 'three'].map((query) => fresh.rerank(query, worth(1, 2, 3), patient))
  for (const { scores } of await Promise.all(searches)) expect(scores).toEqual([1, 2, 3])
  expect((await fresh.rerank('batches', worth(0), patient)).scores).toEqual([3])
})

it('returns the first scores if the time is up', async () => {
  /** The scores of a module that answers only the first batch. */
  const scoresWithin = async (budgetMs: number): Promise<number[]> => {
    const slow = createLocalReranker(sample)
    onTestFinished(() => slow.close())
    await slow.load()
    const { scores, error } = await slow.rerank('only once', worth(...Array(100).keys()), { budgetMs })
    expect(error).toBeNull()
    return scores
  }
  let scores: number[] = []
  for (let budgetMs = 200; scores.length === 0; budgetMs *= 2) scores = await scoresWithin(budgetMs) // a machine may be busy
  expect(scores.length).toBeLessThan(100)
  expect(scores).toEqual([...Array(scores.length).keys()])
  const aborted = await reranker.rerank('query', worth(1), { ...patient, signal: AbortSignal.abort() })
  expect(aborted).toEqual({ scores: [], error: null })
})

it.each([
  ['throw', 'The model is broken.'],
  ['few', 'The local reranker returned 1 scores for 2 pairs.'],
  ['nonsense', 'The local reranker returned a score that is not a number.'],
])('reports a module that fails (%s), and goes on', async (query, message) => {
  const { scores, error } = await reranker.rerank(query, worth(1, 2), patient)
  expect([scores, error?.message]).toEqual([[], message])
  expect((await reranker.rerank('query', worth(3), patient)).scores).toEqual([3])
})

it('loads a module that hangs again', async () => {
  const hanging = createLocalReranker(sample, { stuckMs: 1000 })
  onTestFinished(() => hanging.close())
  expect((await hanging.rerank('hang', worth(1), patient)).error?.message).toBe('The reranking thread took too long.')
  // On a busy machine it may take too long again.
  const scores = async () => (await hanging.rerank('query', worth(3), patient)).scores
  await expect.poll(scores, { timeout: 50_000 }).toEqual([3])
})

it('says what is wrong with a module', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reranker-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'wrong.mjs')
  writeFileSync(file, 'export const rank = () => []')
  const wrong = createLocalReranker(file)
  onTestFinished(() => wrong.close())
  await expect(wrong.load()).rejects.toThrow('does not export a function `score`')
  expect((await wrong.rerank('query', ['x'], patient)).error?.message).toContain('does not export a function `score`')
})
