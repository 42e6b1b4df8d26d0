import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMiniLm, type MiniLmOptions } from './minilm.ts'

const shared = createMiniLm()
afterAll(() => shared.close())

function create(options: MiniLmOptions = {}) {
  const model = createMiniLm(options)
  onTestFinished(() => model.close())
  return model
}

const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] as number), 0)

describe('MiniLM', () => {
  it('is available', async () => {
    expect(await shared.availability()).toEqual({ available: true })
  })

  it('places texts with the same meaning close to each other', async () => {
    const query = await shared.embedQuery('How long is parental leave?')
    const [near, far] = (await shared.embedPassages([
      'New mothers and fathers get sixteen weeks off.',
      'The pump must be primed before it is started.',
    ])) as [Float32Array, Float32Array]
    expect(Math.hypot(...query)).toBeCloseTo(1, 5)
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.2)
  })

  it('returns the same vector for a text alone, among others, as a query and as a passage', async () => {
    const text = 'Scan me alone or in company.'
    const alone = await shared.embedQuery(text)
    const [, among] = await shared.embedPassages(['Another one, longer than the rest of them by far.', text, 'Short.'])
    expect(among).toEqual(alone)
  })

  it('returns the vectors of many passages in their order', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `Passage number ${at}`)
    const vectors = await shared.embedPassages(texts)
    const [last] = await shared.embedPassages(texts.slice(-1))
    expect(vectors.length).toBe(40)
    expect(vectors.at(-1)).toEqual(last)
    expect(await shared.embedPassages([])).toEqual([])
  })

  it('embeds queries while passages are being embedded', async () => {
    let isDone = false
    const passages = shared
      .embedPassages(Array.from({ length: 8 }, (_, at) => `${at} ${'long passages take their time '.repeat(30)}`))
      .finally(() => {
        isDone = true
      })
    await shared.embedQuery('Who is faster?')
    expect(isDone).toBe(false)
    expect((await passages).length).toBe(8)
  })

  it('lets a short request overtake a long one', async () => {
    const ends: string[] = []
    const embed = (name: string, count: number) =>
      shared.embedPassages(Array.from({ length: count }, (_, at) => `${name} ${at}`)).then(() => ends.push(name))
    await Promise.all([embed('long', 40), embed('short', 2)])
    expect(ends).toEqual(['short', 'long'])
  })

  it('embeds a repeated query once', async () => {
    expect(await shared.embedQuery('Again?')).toBe(await shared.embedQuery('Again?'))
  })

  it('rejects queries when too many are waiting', async () => {
    const queries = Array.from({ length: 100 }, (_, at) => shared.embedQuery(`Query ${at}`))
    const results = await Promise.allSettled(queries)
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(64)
    await expect(queries.at(-1)).rejects.toThrow('Too many queries')
    expect((await shared.embedQuery('Query 99')).length).toBe(384)
  })

  it('is unloaded when idle and loaded again', async () => {
    const model = create({ idleMs: 1 })
    const before = await model.embedQuery('First.')
    await vi.waitFor(() => expect(model.isLoaded()).toBe(false))
    await model.embedQuery('Second.')
    const [again] = await model.embedPassages(['First.'])
    expect(again).toEqual(before)
  })

  it('rejects unexpected weights with the reason', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weights-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const weights = join(folder, 'model.onnx')
    writeFileSync(weights, 'not a model')
    const model = create({ weights })
    expect(await model.availability()).toEqual({ available: false, reason: expect.stringContaining('sha256') })
    await expect(model.embedQuery('Hello?')).rejects.toThrow('not the expected file')
    await expect(model.embedPassages(['Hello?'])).rejects.toThrow('not the expected file')
  })

  it('names the missing file', async () => {
    const model = create({ weights: join(tmpdir(), 'no-such-model.onnx') })
    expect(await model.availability()).toEqual({ available: false, reason: expect.stringContaining('no-such-model') })
  })

  it('names the missing package', async () => {
    const model = create({
      resolve: (path) => {
        if (path.startsWith('onnxruntime-node')) throw new Error('Cannot find module')
        return path
      },
    })
    const reason = 'The optional package onnxruntime-node is not installed, so only the built-in static model is used.'
    expect(await model.availability()).toEqual({ available: false, reason })
    await expect(model.embedQuery('Hello?')).rejects.toThrow(reason)
  })

  it('finishes running calls when it closes, and rejects waiting ones', async () => {
    const model = create()
    await model.embedPassages(['Load the model.'])
    const calls = Array.from({ length: 30 }, (_, at) => model.embedPassages([`text ${at}`]))
    const settled = Promise.allSettled(calls)
    await Promise.resolve() // each call has been sent or waits in the queue
    await model.close()
    const results = await settled
    expect(results[0]?.status).toBe('fulfilled')
    expect(results.at(-1)?.status).toBe('rejected')
    await expect(model.embedQuery('Too late?')).rejects.toThrow('closed')
  })
})
