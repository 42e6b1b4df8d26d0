import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeDocx, makePdf, toBytes, wordParagraph } from '../test/documents.ts'
import { chunkDocument } from './chunking/chunk.ts'
import { DocumentError, defaultLimits, secondsFor } from './document.ts'
import { createParser, type Parser, type ParserOptions } from './parser.ts'

let folder = ''
const open: Parser[] = []
/** For tests that do not stop its process. */
let shared: Parser

const started = (options?: ParserOptions): Parser => {
  const parser = createParser(options)
  open.push(parser)
  return parser
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parser-test-'))
  const passageModule = pathToFileURL(join(folder, 'passages.mjs'))
  await writeFile(passageModule, 'export const prepare = ({ headings, text }) => [...headings, text].join("/")')
  shared = createParser({ passageModule, workers: 1 })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((parser) => parser.close()))
})
afterAll(async () => {
  await shared.close()
  await rm(folder, { recursive: true })
})

const slow = toBytes('# Title\n\nSome words. And more.\n\n'.repeat(300_000))
/** A text would be read without a process. */
const page = toBytes('<p>Some words.</p>')
const readsOn = (parser: Parser) =>
  expect(parser.parseDocument(page, { name: 'a.html' })).resolves.toMatchObject({ text: 'Some words.' })

describe('the parser', () => {
  it('reads a file by path or from memory, and chunks it like chunkDocument', async () => {
    const parser = shared
    const path = join(folder, 'notes')
    await writeFile(path, '# Notes\n\nSome words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
    const document = await parser.parseDocument(path, { name: 'notes.md' })
    expect(document).toMatchObject({ format: 'md', mediaType: 'text/markdown', headings: [{ title: 'Notes' }] })
    expect(document.blocks?.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'table'])
    expect(await parser.chunkDocument(document, { size: 50, overlap: 10 })).toEqual(
      chunkDocument(document, { size: 50, overlap: 10 }),
    )
    expect(await parser.detectType(path, { name: 'notes', mediaType: 'text/csv' })).toMatchObject({ format: 'csv' })
    await readsOn(parser)
  })

  it('reports how many pages were read and passages prepared', async () => {
    const parser = shared
    const pages: number[][] = []
    const onProgress = (...progress: [number, number]) => pages.push(progress)
    await parser.parseDocument(makePdf(['One.', 'Two.', 'Three.']), { name: 'a.pdf', onProgress })
    expect(pages[0]).toEqual([1, 3])
    pages.length = 0
    const passages = Array.from({ length: 1200 }, () => ({ headings: [], text: 'Some words.' }))
    expect(await parser.prepare(passages, { onProgress })).toHaveLength(1200)
    expect(pages).toEqual([
      [0, 1200],
      [500, 1200],
      [1000, 1200],
    ])
  })

  it('reports why a document failed, and goes on', async () => {
    const parser = shared
    await expect(parser.parseDocument(new Uint8Array(0), { name: 'a.txt' })).rejects.toBeInstanceOf(DocumentError)
    await expect(parser.parseDocument(makePdf([''], {}), { name: 'a.pdf' })).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('this looks like a scan'),
    })
    await expect(parser.parseDocument(join(folder, 'missing'), { name: 'a.txt' })).rejects.toThrow(
      'The stored file is missing.',
    )
    await readsOn(parser)
  })

  it('stops a document that takes too long, and goes on', async () => {
    const parser = started({ workers: 1 })
    const reading = parser.parseDocument(slow, { name: 'a.md', limits: { maxSeconds: 0.2 } })
    await expect(reading.then(() => 'read')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('longer than 0.2 seconds'),
    })
    await readsOn(parser)
  })

  it.runIf(process.platform === 'linux')('stops a document that takes too much memory, and goes on', async () => {
    const parser = started({ workers: 1, limits: { memoryMegabytes: 96 } })
    const large = Buffer.from('é'.repeat(25_000_000), 'latin1')
    await expect(parser.parseDocument(large, { name: 'a.md' })).rejects.toMatchObject({ code: 'memory' })
    const packed = deflateSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 1 }).toString('latin1')
    const file = Buffer.from(makePdf(['x']))
      .toString('latin1')
      .replace(
        /<<\/Length \d+>>stream\n[\s\S]*?\nendstream/,
        () => `<</Length ${packed.length}/Filter/FlateDecode>>stream\n${packed}\nendstream`,
      )
    // Near its limit a process may spend its time on looking for memory, or the reader may take the failure for damage.
    const reading = parser.parseDocument(Buffer.from(file, 'latin1'), { name: 'a.pdf', limits: { maxSeconds: 3 } })
    const { code } = await reading.then(
      () => expect.unreachable('It was read.'),
      (error: DocumentError) => error,
    )
    expect(['memory', 'timeout', 'broken']).toContain(code)
    await readsOn(parser)
  })

  it('gives a small document seconds and a large one more', () => {
    const seconds = [4_000, 1024 ** 2, 5 * 1024 ** 2, 500 * 1024 ** 2].map((size) => secondsFor(size, defaultLimits))
    expect(seconds).toEqual([6, 15, 55, 120])
  })

  it('reads documents of different keys by turns, and detects types without waiting for them', async () => {
    const parser = started({ workers: 1 })
    const finished: string[] = []
    const read = async (key: string, content: Uint8Array, limits = {}) => {
      await parser.parseDocument(content, { name: 'a.md', key, limits }).catch(() => {})
      finished.push(key)
    }
    const large = toBytes('Some words. '.repeat(100_000))
    const hostile = [slow, large, large].map((content) => read('hostile', content, { maxSeconds: 0.5 }))
    const other = read('other', large)
    expect(await parser.detectType(toBytes('Some words.'), { name: 'b.txt' })).toMatchObject({ format: 'txt' })
    expect(finished).toEqual([])
    await Promise.all([...hostile, other])
    expect(finished).toEqual(['hostile', 'hostile', 'other', 'hostile'])
  })

  it('reads small files while a large one is read, unless they unpack to a large one, and texts without a process', async () => {
    const parser = started({ workers: 1 })
    const finished: string[] = []
    const read = async (name: string, content: Uint8Array, signal?: AbortSignal) => {
      await parser.parseDocument(content, { name, ...(signal && { signal }) }).catch(() => {})
      finished.push(name)
    }
    await read('a.txt', toBytes('Some words.'))
    expect(parser.workers()).toBe(0)
    const reading = new AbortController()
    const large = read('large.md', slow, reading.signal)
    const packed = read('packed.docx', makeDocx(wordParagraph('lol'.repeat(500_000))))
    await read('small.html', page)
    reading.abort()
    await Promise.all([large, packed])
    expect(finished).toEqual(['a.txt', 'small.html', 'large.md', 'packed.docx'])
  })

  it('does not unpack more than the limit', async () => {
    const bomb = makeDocx(wordParagraph('lol'.repeat(2_000_000)))
    await expect(
      shared.parseDocument(bomb, { name: 'a.docx', limits: { unzippedBytes: 1024 * 1024 } }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })

  it('does not read a file that is larger than the limit', async () => {
    const path = join(folder, 'large')
    await writeFile(path, Buffer.alloc(3 * 1024 * 1024, 'x'))
    await expect(shared.parseDocument(path, { name: 'a.txt', limits: { fileBytes: 2 * 1024 * 1024 } })).rejects.toThrow(
      'larger than 2 MB',
    )
  })

  it('survives more characters on one line than a text may have', async () => {
    const tooLong = Buffer.alloc(defaultLimits.textCharacters + 1, 'a')
    await expect(shared.parseDocument(tooLong, { name: 'a.txt' })).rejects.toMatchObject({ code: 'too_large' })
    const length = 4_000_000
    const document = await shared.parseDocument(Buffer.alloc(length, 'a'), { name: 'a.txt' })
    const chunks = await shared.chunkDocument(document, { size: 400, overlap: 60 })
    expect(chunks.at(-1)?.end).toBe(length)
  }, 300_000)

  it('can be aborted while reading and while waiting', async () => {
    const parser = started({ workers: 1 })
    const reading = new AbortController()
    const waiting = new AbortController()
    const first = parser.parseDocument(slow, { name: 'a.md', signal: reading.signal })
    const second = parser.parseDocument(slow, { name: 'a.md', signal: waiting.signal })
    const third = parser.parseDocument(page, { name: 'a.html' })
    waiting.abort(new Error('no longer wanted'))
    await expect(second).rejects.toThrow('no longer wanted')
    reading.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    await expect(third).resolves.toMatchObject({ text: 'Some words.' })
    for (const [content, name] of [
      [page, 'a.html'],
      [toBytes('Some words.'), 'a.txt'],
    ] as const)
      await expect(parser.parseDocument(content, { name, signal: reading.signal })).rejects.toThrow('stopped')
  })

  it('reads many documents with two workers', async () => {
    const parser = started({ workers: 2 })
    const texts = Array.from({ length: 20 }, (_, index) => `Text ${index} ${'x'.repeat(1024 ** 2)}`)
    const read = await Promise.all(texts.map((text) => parser.parseDocument(toBytes(text), { name: 'a.txt' })))
    expect(parser.workers()).toBe(2)
    expect(read.map((document) => document.text)).toEqual(texts)
  })

  it('prepares passages with the given module', async () => {
    const passages = Array.from({ length: 501 }, (_, index) => ({ headings: ['A'], text: `${index}` }))
    expect(await shared.prepare(passages)).toEqual(passages.map(({ text }) => `A/${text}`))
  })

  it('starts again after its workers have ended', async () => {
    const parser = started({ idleSeconds: 0 })
    await readsOn(parser)
    await vi.waitFor(() => expect(parser.workers()).toBe(0))
    await readsOn(parser)
  })

  it('rejects running, waiting and later calls when it is closed', async () => {
    const parser = started({ workers: 1 })
    const running = parser.parseDocument(slow, { name: 'a.md' })
    const waiting = parser.parseDocument(slow, { name: 'a.md' })
    const closed = [expect(running).rejects.toThrow('closed'), expect(waiting).rejects.toThrow('closed')]
    await parser.close()
    await Promise.all(closed)
    await expect(parser.parseDocument(page, { name: 'a.html' })).rejects.toThrow('closed')
  })
})
