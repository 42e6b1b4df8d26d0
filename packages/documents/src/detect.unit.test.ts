import { describe, expect, it } from 'vitest'
import { makeDocx, makeEpub, makePdf, makePptx, makeXlsx, makeZip, toBytes } from '../test/documents.ts'
import { makeBmp, makePng, makeTiff } from '../test/pictures.ts'
import { detectFormat, detectType, takeSample } from './detect.ts'
import { DocumentError, defaultLimits } from './document.ts'
import { parseBytes } from './parse.ts'

/** Bytes that cannot be compressed, the same each time. */
function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

const detect = (bytes: Uint8Array, name = 'file', mediaType?: string) =>
  detectFormat(bytes, { name, ...(mediaType && { mediaType }) })

describe('detectFormat', () => {
  it.each([
    ['pdf', makePdf(['Hello'])],
    ['docx', makeDocx('')],
    ['pptx', makePptx([])],
    ['xlsx', makeXlsx({ S: [] })],
    ['epub', makeEpub([])],
    ['html', toBytes('\n<!-- a page --><!DOCTYPE html><html><body>Hi')],
    ['html', toBytes('<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body>Hi</body></html>')],
    ['eml', toBytes('Received: from x\r\n by y\r\nFrom: a@example.org\r\nSubject: Hi\r\n\r\nText')],
    ['json', toBytes('{"a": [1, 2]}')],
    ['txt', toBytes('Just some words.')],
  ])('detects %s by content, whatever the name', async (format, bytes) => {
    expect(await detect(bytes, 'misleading.png')).toMatchObject({ format })
    expect(await detect(bytes, 'no-extension')).toMatchObject({ format })
  })

  it('trusts the content over the file name', async () => {
    expect(await detect(toBytes('not a PDF'), 'report.pdf')).toMatchObject({ format: 'txt' })
    expect(await detect(makePdf(['Hello']), 'notes.txt')).toMatchObject({ format: 'pdf', mediaType: 'application/pdf' })
    expect(await detect(toBytes('<!doctype html><p>Hi'), 'notes.md')).toMatchObject({ format: 'html' })
  })

  it.each([
    ['notes.md', undefined, 'md'],
    ['table.tsv', undefined, 'csv'],
    ['lines.ndjson', undefined, 'jsonl'],
    ['main.rs', undefined, 'code'],
    ['Dockerfile', undefined, 'code'],
    ['C:\\folder.md\\readme', 'text/csv; charset=utf-8', 'csv'],
    ['page.html', undefined, 'txt'],
    ['letter.eml', undefined, 'txt'],
  ])('uses the name to choose between text formats: %s', async (name, mediaType, format) => {
    expect(await detect(toBytes('one, two'), name, mediaType)).toMatchObject({ format })
  })

  it('recognizes images', async () => {
    for (const [format, bytes] of [
      ['png', makePng()],
      ['bmp', makeBmp()],
      ['tiff', makeTiff()],
      ['jpg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
      ['gif', Buffer.from('GIF89a')],
      ['webp', Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')],
      ['txt', Buffer.from('BMW makes cars and motorcycles.')],
    ] as const)
      expect(await detect(bytes, 'file')).toMatchObject({ format })
  })

  it.each([
    ['a gzip archive', Buffer.from('\x1f\x8b\x08', 'latin1')],
    ['a zip archive', makeZip({ 'a.txt': 'hello' })],
    [
      'an OpenDocument file',
      makeZip({ mimetype: 'application/vnd.oasis.opendocument.presentation', 'content.xml': '<x/>' }),
    ],
    ['an old binary Office format', Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
    ['a program', Buffer.from('7f454c46020101000000000000000000', 'hex')],
    ['a program', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['neither text nor', Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7919) % 256))],
  ])('rejects %s', async (what, bytes) => {
    await expect(detect(bytes, 'file.txt')).rejects.toThrow(what)
    await expect(detect(bytes, 'file.txt')).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('reports empty files and encrypted documents', async () => {
    await expect(detect(new Uint8Array(0))).rejects.toMatchObject({ code: 'empty', message: 'The file is empty.' })
    const encrypted = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    await expect(detect(encrypted, 'a.docx')).rejects.toMatchObject({ code: 'encrypted' })
  })

  it('rejects a zip container with too many entries or bytes before unpacking', async () => {
    const bomb = makeZip({ 'word/document.xml': new Uint8Array(2 * 1024 * 1024) })
    const limits = { ...defaultLimits, unzippedBytes: 1024 * 1024 }
    await expect(parseBytes(bomb, { name: 'a.docx' }, limits)).rejects.toThrow('unpack to more than 1 MB')
    const many = makeZip(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`word/${index}.xml`, 'x'])))
    const few = { ...defaultLimits, zipEntries: 20 }
    await expect(parseBytes(many, { name: 'a.docx' }, few)).rejects.toThrow('more than 20 parts')
  })

  it('needs only the start and the end of a file', () => {
    const large = makeDocx('', undefined)
    const padded = makeZip({ 'word/media/picture.bin': noise(3_000_000), 'word/document.xml': '<x/>' })
    expect(detectType({ head: Buffer.from(large), tail: Buffer.from(large) }, { name: 'a' }).format).toBe('docx')
    const { head, tail } = takeSample(padded)
    expect(detectType({ head, tail }, { name: 'a' }).format).toBe('docx')
  })

  it('reads hostile files in linear time', () => {
    const hostile = {
      signatures: `${'PK\x03\x04'.repeat(100_000)}PK\x05\x06`,
      json: '['.repeat(1_000_000),
      comments: '<!--'.repeat(1_000_000),
      headers: 'From: a\r\n '.repeat(100_000),
      legacy: '\xe4'.repeat(1_000_000),
    }
    for (const text of Object.values(hostile)) {
      // Whole files rather than samples: the square of a million steps would take longer than this test may.
      const bytes = Buffer.from(text, 'latin1')
      try {
        detectType({ head: bytes, tail: bytes }, { name: 'file' })
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError)
      }
    }
  }, 300_000)

  it('reports a truncated container as damaged', async () => {
    const docx = makeDocx('')
    await expect(detect(docx.subarray(0, docx.length / 2), 'a.docx')).rejects.toMatchObject({ code: 'broken' })
  })
})
