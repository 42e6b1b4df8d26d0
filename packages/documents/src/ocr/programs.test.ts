import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePdf } from '../../test/documents.ts'
import { createParser } from '../parser.ts'
import { findOcrPrograms, type OcrPrograms } from './programs.ts'

let folder = ''
let tools: OcrPrograms | undefined

const program = async (name: string, script: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

/** Writes a text and how sure every word of it is, as tesseract does. */
const write = (text: string, confidence = 91.5): string =>
  `echo "${text}" > "$2.txt"; echo "5 1 1 1 1 1 0 0 9 9 ${confidence} Words" | tr ' ' '\\t' > "$2.tsv"`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocr-test-'))
  // The first writes the number of the page instead of a picture, and the second reads it.
  const draw = await program(
    'draw',
    'test "$1" = -v && exit 0\nfor last; do :; done\necho "$2" > "$last.png"\necho "$last" > "$0.last"',
  )
  const read = await program(
    'read',
    `test "$1" = --list-langs && { echo "List of available languages:"; echo eng; echo deu; echo osd; exit 0; }\n${write('Words of page $(cat "$1") in $4.')}`,
  )
  tools = await findOcrPrograms(draw, read)
})
afterAll(() => rm(folder, { recursive: true }))

const scan = makePdf(['', ''])

describe('OCR', () => {
  it('reads a scan page by page with the installed programs', async () => {
    const parser = createParser({ findOcr: async () => tools })
    const document = await parser.parseDocument(scan, { name: 'scan.pdf' })
    await parser.close()
    expect(tools?.languages).toEqual(['eng', 'deu'])
    expect(document.text).toBe('Words of page 1 in eng+deu.\n\nWords of page 2 in eng+deu.')
    expect(document.pages).toEqual([
      { number: 1, start: 0, end: 27 },
      { number: 2, start: 29, end: 56 },
    ])
    expect(document.warnings).toEqual(['The text was read with OCR and may contain mistakes.'])
    const german = { name: 'scan.pdf', settings: { ocrLanguages: ['deu'] } }
    const again = createParser({ findOcr: async () => tools })
    expect((await again.parseDocument(scan, german)).text).toContain('page 2 in deu.')
    const greek = { name: 'scan.pdf', settings: { ocrLanguages: ['deu', 'ell'] } }
    await expect(again.parseDocument(scan, greek)).rejects.toThrow('Install @tesseract.js-data/ell')
    await again.close()
    const picture = (await readFile(join(folder, 'draw.last'), 'utf8')).trim()
    await expect(readdir(join(picture, '..'))).rejects.toThrow('ENOENT')
  })

  it('reports that a scan needs OCR if no programs are installed or they find no text that is sure', async () => {
    expect(await findOcrPrograms(join(folder, 'missing'), join(folder, 'missing'))).toBeUndefined()
    const noise = await program('noise', write('Grass wood sand', 12))
    for (const tesseract of [await program('blind', 'exit 0'), noise]) {
      const parser = createParser({ findOcr: async () => tools && { ...tools, tesseract } })
      await expect(parser.parseDocument(scan, { name: 'scan.pdf' })).rejects.toThrow('also not with OCR')
      await parser.close()
    }
  })

  it('keeps the pages read before the time limit', async () => {
    const hanging = await program(
      'hanging',
      `test "$(cat "$1")" = 1 && { ${write('In time.')}; exit 0; }\nexec sleep 60`,
    )
    const parser = createParser({ findOcr: async () => tools && { ...tools, tesseract: hanging } })
    const document = await parser.parseDocument(scan, { name: 'scan.pdf', limits: { ocrSeconds: 5 } })
    await parser.close()
    expect(document.text).toBe('In time.')
    expect(document.pages.map(({ start, end }) => document.text.slice(start, end))).toEqual(['In time.', ''])
    expect(document.warnings).toContain('Only the first 1 of 2 pages were read in time.')
  })

  it('stops when it is aborted', async () => {
    const hanging = await program('forever', 'exec sleep 60')
    const parser = createParser({ findOcr: async () => tools && { ...tools, tesseract: hanging } })
    const reading = parser.parseDocument(scan, { name: 'scan.pdf', signal: AbortSignal.timeout(1500) })
    await expect(reading).rejects.toMatchObject({ name: 'TimeoutError' })
    await parser.close()
  })
})
