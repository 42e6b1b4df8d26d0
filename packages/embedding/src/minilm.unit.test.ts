import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createMiniLm } from './minilm.ts'

const model = createMiniLm()
afterAll(() => model.close())

const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] as number), 0)

describe('MiniLM', () => {
  it('is there', async () => {
    expect(await model.availability()).toEqual({ available: true })
  })

  it('knows what texts mean', async () => {
    const query = await model.embedQuery('How long is parental leave?')
    const [near, far] = (await model.embedPassages([
      'New mothers and fathers get sixteen weeks off.',
      'The pump must be primed before it is started.',
    ])) as [Float32Array, Float32Array]
    expect(Math.hypot(...query)).toBeCloseTo(1, 5)
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.2)
  })

  it('gives a text the same vector alone and among others, as query and as passage', async () => {
    const text = 'Scan me alone or in company.'
    const alone = await model.embedQuery(text)
    const [, among] = await model.embedPassages(['Another one, longer than the rest of them by far.', text, 'Short.'])
    expect(among).toEqual(alone)
  })

  it('answers queries while passages are being embedded', async () => {
    let isDone = false
    const passages = model
      .embedPassages(Array.from({ length: 24 }, (_, at) => `${at} ${'long passages take their time '.repeat(30)}`))
      .finally(() => {
        isDone = true
      })
    await model.embedQuery('Who is faster?')
    expect(isDone).toBe(false)
    expect((await passages).length).toBe(24)
  })

  it('embeds a query that was asked before only once', async () => {
    expect(await model.embedQuery('Again?')).toBe(await model.embedQuery('Again?'))
  })

  it('unloads when idle and loads again', async () => {
    const brief = createMiniLm({ idle: 1 })
    const before = await brief.embedQuery('First.')
    await vi.waitFor(() => expect(brief.isLoaded()).toBe(false))
    await brief.embedQuery('Second.')
    const [again] = await brief.embedPassages(['First.'])
    expect(again).toEqual(before)
    await brief.close()
  })

  it('refuses weights that are not the expected ones, with the reason', async () => {
    const weights = join(mkdtempSync(join(tmpdir(), 'weights-')), 'model.onnx')
    writeFileSync(weights, 'not a model')
    const broken = createMiniLm({ weights })
    expect(await broken.availability()).toEqual({ available: false, reason: expect.stringContaining('sha256') })
    await expect(broken.embedQuery('Anyone?')).rejects.toThrow('not the expected ones')
    await expect(broken.embedPassages(['Anyone?'])).rejects.toThrow('not the expected ones')
    await broken.close()
  })

  it('says which file is missing', async () => {
    const absent = createMiniLm({ weights: join(tmpdir(), 'no-such-model.onnx') })
    expect(await absent.availability()).toEqual({ available: false, reason: expect.stringContaining('no-such-model') })
    await absent.close()
  })

  it('says which package is not installed', async () => {
    const without = createMiniLm({
      resolve: (path) => {
        if (path.startsWith('onnxruntime-node')) throw new Error('Cannot find module')
        return path
      },
    })
    const reason = 'The optional package onnxruntime-node is not installed, so the built-in static model serves alone.'
    expect(await without.availability()).toEqual({ available: false, reason })
    await expect(without.embedQuery('Anyone?')).rejects.toThrow(reason)
    await without.close()
  })

  it('finishes what it runs before it closes, and turns away what waits', async () => {
    const closing = createMiniLm()
    await closing.availability()
    const asked = Array.from({ length: 30 }, (_, at) => closing.embedPassages([`text ${at}`]))
    const results = Promise.allSettled(asked)
    await closing.close()
    const states = new Set((await results).map(({ status }) => status))
    expect(states.has('rejected')).toBe(true)
  })
})
