import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChunkSource } from '../document.ts'
import { markdownDocument } from '../formats/markdown.ts'
import { countTokens } from '../tokens/tokens.ts'
import { isSpace } from '../whitespace.ts'
import { type Chunk, chunkDocument } from './chunk.ts'

const plain = (text: string): ChunkSource => ({ text, pages: [], headings: [] })

const chunkTexts = ({ text }: ChunkSource, chunks: Chunk[]): string[] =>
  chunks.map(({ start, end }) => text.slice(start, end))

const sentence = (number: number): string => `Sentence number ${number} speaks about subject ${number} at some length.`

const prose = (sentences: number): string => Array.from({ length: sentences }, (_, index) => sentence(index)).join(' ')

const unicode = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        'Some words. ',
        'More words here! ',
        'שלום עולם. ',
        'مرحبا؟ ',
        '漢字です。',
        'e\u0301\u0302',
        '👩‍👩‍👧‍👦',
        '\n',
        '\n\n',
        '\r\n',
        '\t',
        '# Title\n',
        '| a | b |\n',
        '- item\n',
        '```\ncode\n```\n',
        'x'.repeat(300),
        '9'.repeat(90),
        '.'.repeat(90),
      ),
    ),
    { maxLength: 80, size: 'max' },
  )
  .map((parts) => parts.join(''))

const options = fc
  .integer({ min: 16, max: 120 })
  .chain((size) => fc.record({ size: fc.constant(size), overlap: fc.nat({ max: size - 1 }) }))

it('keeps a question that is a heading with its answer, and with the headings before it', () => {
  const document = markdownDocument(
    '# Help\n\nShort.\n\n## Cost\n\n### Is it free?\n\nYes.\n\n### What else?\n\nNothing.\n\n## More\n\nWords.',
  )
  expect(chunkTexts(document, chunkDocument(document, { size: 400, overlap: 60 }))).toEqual([
    '# Help\n\nShort.',
    '## Cost\n\n### Is it free?\n\nYes.',
    '### What else?\n\nNothing.\n\n## More\n\nWords.',
  ])
})

describe('chunks of arbitrary text', () => {
  const holds = (document: ChunkSource, { size, overlap }: { size: number; overlap: number }) => {
    const chunks = chunkDocument(document, { size, overlap })
    const covered = new Uint8Array(document.text.length)
    let before: Chunk | undefined
    for (const chunk of chunks) {
      const text = document.text.slice(chunk.start, chunk.end)
      expect(text).toBe(text.trim())
      expect(text).not.toBe('')
      expect(chunk.tokens).toBe(countTokens(text))
      expect(chunk.tokens).toBeLessThanOrEqual(size)
      if (before) {
        expect(chunk.start).toBeGreaterThan(before.start)
        expect(chunk.end).toBeGreaterThan(before.end)
        if (chunk.start < before.end) {
          expect(countTokens(document.text.slice(chunk.start, before.end))).toBeLessThanOrEqual(overlap)
        }
      }
      covered.fill(1, chunk.start, chunk.end)
      before = chunk
    }
    const missing = [...document.text.matchAll(/\S/g)].filter(({ index }) => covered[index] === 0)
    expect(missing.map(({ 0: character }) => character)).toEqual([])
  }

  it('are exact spans within the size limit and cover the whole text', () => {
    fc.assert(
      fc.property(unicode, options, (text, chosen) => holds(plain(text), chosen)),
      { numRuns: 300 },
    )
  })

  it('do the same for Markdown', () => {
    fc.assert(
      fc.property(unicode, options, (text, chosen) => holds(markdownDocument(text), chosen)),
      { numRuns: 300 },
    )
  })

  it('are fast for long runs of spaces or line breaks', () => {
    for (const gap of [' ', '\n', '\u00a0', '\t\n']) {
      const document = plain(`one${gap.repeat(300_000)}two${gap.repeat(300_000)}three`)
      const chunks = chunkDocument(document, { size: 50, overlap: 10 })
      expect(chunkTexts(document, chunks)).toEqual(['one', 'two', 'three'])
    }
  })

  it('never split a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 50, maxLength: 400 }), (text) => {
        for (const chunk of chunkTexts(plain(text), chunkDocument(plain(text), { size: 16, overlap: 4 }))) {
          expect(chunk.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})

it('whitespace is what trim() removes', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  expect(characters.filter((each) => isSpace(each, 0))).toEqual(characters.filter((each) => each.trim() === ''))
})

describe('chunks by structure', () => {
  it('end at sentences and overlap by whole sentences', () => {
    const document = plain(prose(40))
    const chunks = chunkDocument(document, { size: 60, overlap: 20 })
    for (const text of chunkTexts(document, chunks)) expect(text).toMatch(/^Sentence number .*length\.$/)
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0) expect(chunk.start).toBeLessThan(chunks[index - 1]?.end ?? 0)
    }
    expect(
      chunkDocument(document, { size: 60, overlap: 0 }).every(
        ({ start }, index, all) => start >= (all[index - 1]?.end ?? 0),
      ),
    ).toBe(true)
  })

  it('start the overlap at a sentence, not at a hard line break', () => {
    const paragraph = (number: number) =>
      `Paragraph ${number} has a sentence that goes on in the\nnext line of it. Another one also goes on\nin the next line.`
    const document = markdownDocument(Array.from({ length: 12 }, (_, number) => paragraph(number)).join('\n\n'))
    const texts = chunkTexts(document, chunkDocument(document, { size: 60, overlap: 20 }))
    expect(texts.length).toBeGreaterThan(4)
    expect(texts.filter((text) => text.startsWith('Another one')).length).toBeGreaterThan(0)
    for (const text of texts) expect(text).toMatch(/^(?:Paragraph|Another)/)
  })

  it('do not end a sentence after an abbreviation or initial', () => {
    const text = Array.from({ length: 12 }, () => 'Yesterday Dr. J. Smith met Prof. Jones at approx. noon.').join(' ')
    const document = plain(text)
    for (const chunk of chunkTexts(document, chunkDocument(document, { size: 40, overlap: 0 })))
      expect(chunk).toMatch(/^Yesterday.*noon\.$/)
  })

  it('find sentence ends in scripts without spaces', () => {
    const document = plain('これは短い文です。'.repeat(60))
    for (const chunk of chunkTexts(document, chunkDocument(document, { size: 50, overlap: 0 })))
      expect(chunk).toMatch(/^これ.*。$/)
  })

  it('carry their headings, keep a heading with its text, and start at headings', () => {
    const document = markdownDocument(
      `# Guide\n\n${prose(3)}\n\n## Install\n\n${prose(6)}\n\n## Use\n\n### First *steps*\n\n${prose(6)}`,
    )
    const chunks = chunkDocument(document, { size: 100, overlap: 0 })
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ['Guide'],
      ['Guide', 'Install'],
      ['Guide', 'Use', 'First steps'],
    ])
    const texts = chunkTexts(document, chunks)
    expect(texts[1]).toMatch(/^## Install\n\nSentence/)
    expect(texts[2]).toMatch(/^## Use\n\n### First \*steps\*\n\nSentence/)
  })

  it('keep a table whole if it fits', () => {
    const table = [
      '| name | value |',
      '| --- | --- |',
      ...Array.from({ length: 6 }, (_, row) => `| row ${row} | ${row} |`),
    ].join('\n')
    const document = markdownDocument(`${prose(4)}\n\n${table}\n\n${prose(4)}`)
    const chunks = chunkDocument(document, { size: 80, overlap: 0 })
    expect(chunkTexts(document, chunks)).toContain(table)
    expect(chunks.some(({ tableHead }) => tableHead !== undefined)).toBe(false)
  })

  it('split a larger table between rows and repeat the column names', () => {
    const table = [
      '| name | value |',
      '| --- | --- |',
      ...Array.from({ length: 60 }, (_, row) => `| row ${row} | ${row} |`),
    ].join('\n')
    const document = markdownDocument(table)
    const chunks = chunkDocument(document, { size: 80, overlap: 0 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const text of chunkTexts(document, chunks)) expect(text).toMatch(/^\| .* \|$/s)
    expect(chunks.map(({ tableHead }) => tableHead)).toEqual([
      undefined,
      ...chunks.slice(1).map(() => '| name | value |'),
    ])
  })

  it('carry the header of a table in a list or quote', () => {
    const rows = Array.from({ length: 60 }, (_, row) => `| row ${row} | ${row} |`)
    const table = ['| name | value |', '| --- | --- |', ...rows]
    const indented = table.map((line) => `  ${line}`).join('\n')
    const texts = [
      `- Prices:\n\n${indented}\n\n- Another item.`,
      `- ${indented.trim()}`,
      `${table.map((line) => `> ${line}`).join('\n')}\n>\n> A remark.`,
    ]
    for (const text of texts) {
      const document = markdownDocument(text)
      const chunks = chunkDocument(document, { size: 80, overlap: 10 })
      const inTable = chunks.filter(({ start, end }) => /\| row/.test(text.slice(start, end)))
      expect(inTable.length).toBeGreaterThan(3)
      for (const { start, end, tableHead } of inTable)
        expect(tableHead ?? text.slice(start, end)).toContain('| name | value |')
      expect(inTable.at(-1)?.tableHead).toBe('| name | value |')
    }
  })

  it('carry the header of a table that goes on without one on the next page, but not of another table', () => {
    const first = '|  | 2023 |\n| --- | --- |\n| Sales | 5 |'
    const next = '|  |  |\n| --- | --- |\n| Costs | 4 |'
    const wider = '|  |  |  |\n| --- | --- | --- |\n| Staff | 4 | 5 |'
    const text = [first, next, wider].join('\n\n')
    const starts = [first, next, wider].map((table) => text.indexOf(table))
    const ends = [...starts.slice(1), text.length]
    const document: ChunkSource = {
      text,
      headings: [],
      pages: starts.map((start, at) => ({ number: at + 1, start, end: ends[at] ?? 0 })),
      blocks: [first, next, wider].map((table, at) => {
        const start = starts[at] ?? 0
        return { kind: 'table', start, end: start + table.length }
      }),
    }
    const chunks = chunkDocument(document, { size: 80, overlap: 0 })
    expect(chunks.map(({ tableHead }) => tableHead)).toEqual([undefined, '|  | 2023 |', undefined])
  })

  it('cut a very wide header after a cell', () => {
    const cells = (word: string) => `| ${Array.from({ length: 200 }, (_, at) => `${word} ${at}`).join(' | ')} |`
    const document = markdownDocument([cells('column'), `|${' --- |'.repeat(200)}`, cells('a'), cells('b')].join('\n'))
    const heads = chunkDocument(document, { size: 400, overlap: 0 }).flatMap(({ tableHead }) => tableHead ?? [])
    expect(heads.length).toBeGreaterThan(3)
    for (const head of heads) expect(head).toMatch(/^\| column 0 \| .*column \d+ \|$/)
  })

  it('split code between lines, preferably before an unindented line', () => {
    const block = (number: number) => `function f${number}() {\n  const first = ${number}\n  return first\n}\n`
    const text = Array.from({ length: 12 }, (_, index) => block(index)).join('\n')
    const document: ChunkSource = { ...plain(text), blocks: [{ kind: 'code', start: 0, end: text.length }] }
    for (const chunk of chunkTexts(document, chunkDocument(document, { size: 60, overlap: 0 })))
      expect(chunk).toMatch(/^function.*\}$/s)
  })

  it('do not cross slides, and carry the page number', () => {
    const text = '# One\n\nFirst slide.\n\n# Two\n\nSecond slide.'
    const two = text.indexOf('# Two')
    const document = {
      ...markdownDocument(text),
      pages: [
        { number: 1, start: 0, end: two },
        { number: 2, start: two, end: text.length },
      ],
    }
    const chunks = chunkDocument(document, { size: 100, overlap: 20 })
    expect(chunkTexts(document, chunks)).toEqual(['# One\n\nFirst slide.', '# Two\n\nSecond slide.'])
    expect(chunks.map(({ page }) => page)).toEqual([1, 2])
  })

  it('do not cross pages; without pages all chunks are on page 1', () => {
    const facts = ['The rose is red.', 'The violet is blue.', 'Sugar is sweet.']
    const text = facts.join('\n\n')
    const pages = facts.map((fact, at) => ({
      number: at + 4,
      start: text.indexOf(fact),
      end: text.indexOf(fact) + fact.length,
    }))
    const chunks = chunkDocument({ ...plain(text), pages }, { size: 400, overlap: 60 })
    expect(chunkTexts(plain(text), chunks)).toEqual(facts)
    expect(chunks.map(({ page }) => page)).toEqual([4, 5, 6])
    expect(chunkDocument(plain(text), { size: 400, overlap: 60 })).toMatchObject([{ page: 1 }])
  })

  it('overlap into a page that starts within a sentence', () => {
    const text = `${prose(10)} The agreement was amended six times until it ended in March. ${prose(10)}`
    const middle = text.indexOf('amended')
    const pages = [
      { number: 1, start: 0, end: middle },
      { number: 2, start: middle, end: text.length },
    ]
    const chunks = chunkDocument({ ...plain(text), pages }, { size: 100, overlap: 20 })
    const second = chunks.find(({ page }) => page === 2)
    expect(text.slice(second?.start, second?.end)).toContain(
      'The agreement was amended six times until it ended in March.',
    )
    for (const { page, end } of chunks) expect(page === 1 ? end <= middle : end > middle).toBe(true)
  })

  it('are none for blank text, and reject invalid sizes', () => {
    expect(chunkDocument(plain(' \n\t '), { size: 50, overlap: 0 })).toEqual([])
    expect(() => chunkDocument(plain('x'), { size: 4, overlap: 0 })).toThrow('at least 16')
    expect(() => chunkDocument(plain('x'), { size: 50, overlap: 50 })).toThrow('overlap')
    expect(() => chunkDocument(plain('x'), { size: Number.NaN, overlap: 0 })).toThrow('at least 16')
  })
})
