import { describe, expect, it } from 'vitest'
import { toBytes } from '../../test/documents.ts'
import { defaultLimits, type ParsedDocument } from '../document.ts'
import { parseBytes } from '../parse.ts'

const parse = (text: string | Uint8Array, name: string, limits = defaultLimits) =>
  parseBytes(typeof text === 'string' ? toBytes(text) : text, { name }, limits)

const listBlocks = ({ text, blocks = [] }: ParsedDocument) =>
  blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('plain text', () => {
  it('keeps the text unchanged, line ends included', async () => {
    const text = 'One.\r\nTwo.\r\n\r\nשלום e\u0301 👩‍👧\n'
    expect(await parse(text, 'a.txt')).toMatchObject({ text, format: 'txt', pages: [], headings: [], warnings: [] })
  })

  it('replaces NUL characters without moving offsets', async () => {
    const { text } = await parse(`${'words '.repeat(100)}a\0b`, 'a.txt')
    expect(text).toBe(`${'words '.repeat(100)}a b`)
  })

  it('rejects a file without text', async () => {
    await expect(parse(' \n\t', 'a.txt')).rejects.toMatchObject({
      code: 'no_text',
      message: 'No text was found in the file.',
    })
  })

  it('rejects text above the limit', async () => {
    const limits = { ...defaultLimits, textCharacters: 1000 }
    await expect(parse('x'.repeat(1001), 'a.txt', limits)).rejects.toMatchObject({ code: 'too_large' })
    await expect(parse('x'.repeat(9000), 'a.txt', limits)).rejects.toMatchObject({ code: 'too_large' })
    await expect(parse('x'.repeat(1000), 'a.txt', limits)).resolves.toMatchObject({ format: 'txt' })
  })

  it('detects source code by file name and splits it into lines', async () => {
    const text = 'fn main() {\n}\n'
    expect(listBlocks(await parse(text, 'main.rs'))).toEqual([['code', text]])
  })
})

describe('Markdown', () => {
  it('keeps the text unchanged and finds headings and blocks', async () => {
    const text =
      '# The *whole* `thing`\n\nText with\na line.\n\n- one\n- two\n\n```sh\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nUnder\n-----\n'
    const document = await parse(text, 'a.md')
    expect(document.text).toBe(text)
    expect(document.headings).toEqual([
      { level: 1, title: 'The whole thing', start: 0 },
      { level: 2, title: 'Under', start: text.indexOf('Under') },
    ])
    expect(listBlocks(document)).toEqual([
      ['heading', '# The *whole* `thing`'],
      ['paragraph', 'Text with\na line.'],
      ['list', '- one\n- two'],
      ['code', '```sh\n# no heading\n```'],
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |'],
      ['heading', 'Under\n-----'],
    ])
    expect(document.metadata).toEqual({ title: 'The whole thing' })
  })

  it('gives correct offsets for every kind of line end', async () => {
    const text = 'a\r\n\r\n# One\r\n\rb\n\n## Two'
    const { headings } = await parse(text, 'a.md')
    expect(headings.map(({ start }) => text.slice(start, start + 5))).toEqual(['# One', '## Tw'])
  })

  it('does not treat front matter as a heading', async () => {
    const { headings, metadata } = await parse('---\ntitle: "The guide"\ntags: x\n---\n\n## First\n', 'a.md')
    expect(headings.map(({ title }) => title)).toEqual(['First'])
    expect(metadata).toEqual({ title: 'The guide' })
  })

  it('gives the same result for a long text parsed in parts', async () => {
    const part = '# Title\n\nSome paragraph.\n\n```\n\n# no heading\n\n```\n\n- item\n\n'
    const repeats = 40_000
    const { headings, blocks } = await parse(part.repeat(repeats), 'a.md')
    expect(headings).toHaveLength(repeats)
    expect(blocks).toHaveLength(repeats * 4)
    expect(headings.every(({ start }, index) => start === index * part.length)).toBe(true)
  }, 300_000)

  it('handles endless brackets, quotes and lists', async () => {
    const limit = 20_000
    for (const text of [
      `# ${'['.repeat(limit)}`,
      `${'>'.repeat(limit)} x`,
      `${'- '.repeat(limit)}x`,
      `${'*a '.repeat(limit)}`,
    ]) {
      expect((await parse(text, 'a.md')).text).toBe(text)
    }
  })
})

describe('CSV', () => {
  it('converts rows to a Markdown table', async () => {
    const document = await parse('name;note\nAda;"likes; marks and ""quotes"""\nBob;"two\nlines"\n', 'a.csv')
    expect(document.text).toBe(
      '| name | note |\n| --- | --- |\n| Ada | likes; marks and "quotes" |\n| Bob | two lines |',
    )
    expect(listBlocks(document)).toEqual([['table', document.text]])
  })

  it('reads rows of different lengths, and Shift-JIS', async () => {
    expect((await parse('a,b,c\n1\n1,2,3,4', 'a.csv')).text).toBe(
      '| a | b | c |\n| --- | --- | --- |\n| 1 |\n| 1 | 2 | 3 | 4 |',
    )
    const japanese = Buffer.from('96bc914f2c944e97ee0a8db293a191be98592c33300a', 'hex')
    expect((await parse(japanese, 'a.csv')).text).toBe('| 名前 | 年齢 |\n| --- | --- |\n| 佐藤太郎 | 30 |')
  })

  it('keeps the text unchanged if a quote is not closed or the table would exceed the limit', async () => {
    expect(await parse('a,b\n"never closed,1\n', 'a.csv')).toMatchObject({
      text: 'a,b\n"never closed,1\n',
      warnings: [expect.stringContaining('plain text')],
    })
    const text = 'a,b\n'.repeat(100)
    expect((await parse(text, 'a.csv', { ...defaultLimits, textCharacters: 500 })).text).toBe(text)
  })
})

describe('JSON', () => {
  it('keeps formatted JSON unchanged', async () => {
    expect((await parse('{\n  "a": 1\n}', 'a.json')).text).toBe('{\n  "a": 1\n}')
  })

  it('indents JSON on one line without changing numbers', async () => {
    const item = '{"id":12345678901234567890,"name":"a, \\"b\\": [c]","list":[1.50,true,null]}'
    const { text } = await parse(`[${Array.from({ length: 60 }, () => item).join(',')}]`, 'a.json')
    expect(text.split('\n').slice(0, 10)).toEqual([
      '[',
      '  {',
      '    "id": 12345678901234567890,',
      '    "name": "a, \\"b\\": [c]",',
      '    "list": [',
      '      1.50,',
      '      true,',
      '      null',
      '    ]',
      '  },',
    ])
    expect(JSON.parse(text)).toHaveLength(60)
  })

  it('decodes Unicode escapes', async () => {
    expect((await parse('{"city": "M\\u00fcnchen \\\\u00fc \\u0007"}', 'a.json')).text).toBe(
      '{"city": "München \\\\u00fc \\u0007"}',
    )
  })

  it('keeps invalid JSON, JSON Lines and JSON nested 100,000 levels deep', async () => {
    expect((await parse('{"a": ', 'a.json')).text).toBe('{"a": ')
    expect((await parse('{"a":1}\n{"a":2}\n', 'a.jsonl')).text).toBe('{"a":1}\n{"a":2}\n')
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await parse(deep, 'a.json')).text).toMatch(/^\[/)
  })
})
