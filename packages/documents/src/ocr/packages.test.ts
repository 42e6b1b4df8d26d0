import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnsPgm, makeBmp, makePng, makeScan, makeTiff, smallPgm, smallPng, turnedPgm } from '../../test/pictures.ts'
import { createParser, type Parser } from '../parser.ts'
import { type Engine, startEngine } from './engine.ts'
import { findOcrPackages } from './packages.ts'
import { insertPages } from './scans.ts'

const installed = findOcrPackages()
const words = 'Green tea is brewed\nat eighty degrees.'
const mayBeWrong = 'The text was read with OCR and may contain mistakes.'
let parser: Parser
let engine: Engine

beforeAll(async () => {
  parser = createParser({ findOcr: async () => installed, workers: 1 })
  engine = await startEngine(installed?.core ?? '', installed?.data ?? {})
})
afterAll(() => parser.close())

describe('OCR with packages', () => {
  it('reads images', async () => {
    const document = await parser.parseDocument(makePng(), { name: 'photo' })
    expect(document).toMatchObject({
      text: words,
      format: 'png',
      mediaType: 'image/png',
      metadata: { ocr: 'eng' },
      warnings: [mayBeWrong],
    })
    expect([engine.read(makeBmp()), engine.read(makeTiff()), engine.read(turnedPgm())]).toEqual([words, words, words])
  })

  it('reads columns one after another, and pictures of low resolution', () => {
    const column = [words, words, words].join('\n').replaceAll('\n', ' ')
    expect(engine.read(columnsPgm()).replace(/\s+/g, ' ')).toBe(`${column} ${column}`)
    expect([engine.read(smallPgm()), engine.read(smallPng())]).toEqual([words, words])
  })

  it('reads scanned pages of a PDF, and leaves the others as they are', async () => {
    const mixed = await parser.parseDocument(makeScan([null, 'The first page.', null, 'The end.']), { name: 'a.pdf' })
    const onPages = mixed.pages.map(({ start, end }) => mixed.text.slice(start, end))
    expect(onPages).toEqual([words, 'The first page.', words, 'The end.'])
    expect(mixed.text).toBe(`${words}\n\nThe first page.\n\n${words}\n\nThe end.`)
    expect(mixed.warnings).toEqual(['These pages were read with OCR and may contain mistakes: 1, 3.'])
    expect(mixed.blankPages).toBeUndefined()
    const stamped = await parser.parseDocument(makeScan(['Words.', { stamp: 'Received 4 May' }, 'The end.']), {
      name: 's.pdf',
    })
    expect(stamped.pages.map(({ start, end }) => stamped.text.slice(start, end))).toEqual([
      'Words.',
      `${words}\n\nReceived 4 May`,
      'The end.',
    ])
    expect(stamped.warnings).toEqual(['These pages were read with OCR and may contain mistakes: 2.'])
    const progress: unknown[] = []
    const scan = await parser.parseDocument(makeScan([null, null], 'gray'), {
      name: 'b.pdf',
      onOcr: () => progress.push('OCR'),
      onProgress: (...done) => progress.push(done),
    })
    expect([scan.text, scan.pages.length, scan.warnings]).toEqual([`${words}\n\n${words}`, 2, [mayBeWrong]])
    expect(progress.slice(-3)).toEqual(['OCR', [1, 2], [2, 2]])
    const packed = await parser.packDocument(makeScan([null]), { name: 'c.pdf' })
    expect([packed.mediaType, packed.pages]).toEqual(['application/pdf', 1])
  })

  it('fails with a reason for damaged, huge and empty pictures, and goes on', async () => {
    const whole = makePng()
    const failure = (bytes: Uint8Array) =>
      parser.parseDocument(bytes, { name: 'x' }).then(
        ({ text }) => text,
        ({ code }: { code?: string }) => code ?? 'unexpected',
      )
    expect(await failure(makePng({ width: 60_000, height: 60_000 }))).toBe('too_large')
    expect(await failure(whole.slice(0, 30))).toBe('broken')
    const outcomes = new Set<string>()
    const random = (seed: number) => ((seed * 1103515245 + 12345) >>> 8) % 65_536
    for (let seed = 1; seed <= 12; seed++) {
      const bytes = (seed % 2 ? whole : makeTiff()).slice()
      for (let at = 0; at < 20; at++) bytes[8 + (random(seed * 31 + at) % (bytes.length - 8))] = random(seed + at) & 255
      outcomes.add((await failure(bytes)).replace(/^.*\s.*$/s, 'text'))
    }
    expect(outcomes).toContain('broken')
    for (const outcome of outcomes) expect(['text', 'broken', 'no_text', 'too_large']).toContain(outcome)
    expect(await failure(whole)).toBe(words)
    const damaged = makeScan(['Words', null])
    damaged.fill(255, Buffer.from(damaged).indexOf('stream\n') + 7, Buffer.from(damaged).indexOf('\nendstream'))
    expect(await failure(damaged)).toBe('Words')
  })

  it('says what to install', async () => {
    expect(findOcrPackages(() => '/nowhere/package.json')).toBeUndefined()
    const without = createParser({ findOcr: async () => undefined })
    await expect(without.parseDocument(makePng(), { name: 'x' })).rejects.toThrow(/image.*tesseract\.js-core/)
    await expect(without.parseDocument(makeScan([null]), { name: 'x' })).rejects.toThrow(/scan.*tesseract\.js-core/)
    const { warnings } = await without.parseDocument(makeScan(['Words', null]), { name: 'x' })
    expect(warnings).toEqual(['No text was found on these pages: 2.', expect.stringContaining('tesseract.js-core')])
    await without.close()
    const greek = { name: 'x', settings: { ocrLanguages: ['ell'] } }
    const mixed = await parser.parseDocument(makeScan(['Words', null]), greek)
    expect([mixed.text, mixed.warnings.at(-1)]).toEqual(['Words', expect.stringContaining('@tesseract.js-data/ell')])
  })
})

it('moves what follows inserted pages', () => {
  const text = '# A\n\nb\n\n# C'
  const document = {
    text,
    pages: [
      { number: 1, start: 0, end: 0 },
      { number: 2, start: 0, end: 6 },
      { number: 3, start: 6, end: 6 },
      { number: 4, start: 6, end: 6 },
      { number: 5, start: 8, end: 11 },
      { number: 6, start: 11, end: 11 },
    ],
    headings: [
      { level: 1, title: 'A', start: 0 },
      { level: 1, title: 'C', start: 8 },
    ],
    blocks: [
      { kind: 'heading' as const, start: 0, end: 3 },
      { kind: 'heading' as const, start: 8, end: 11 },
    ],
  }
  const scans = new Map([1, 3, 4, 6].map((number) => [number, `scan ${number}`]))
  const whole = insertPages(document, scans)
  expect(whole.text).toBe('scan 1\n\n# A\n\nb\n\nscan 3\n\nscan 4\n\n# C\n\nscan 6')
  expect(whole.pages.map(({ start, end }) => whole.text.slice(start, end))).toEqual([
    'scan 1',
    '# A\n\nb',
    'scan 3',
    'scan 4',
    '# C',
    'scan 6',
  ])
  expect(whole.headings.map(({ start }) => whole.text.slice(start, start + 3))).toEqual(['# A', '# C'])
  expect(whole.blocks.map(({ start, end }) => whole.text.slice(start, end))).toEqual(['# A', '# C'])
})
