import { describe, expect, it } from 'vitest'
import { sheetsOf } from '../src/pages/knowledge/pieces.ts'
import { argumentsOf } from '../src/pages/tools/argument-shapes.ts'
import { patternOf } from '../src/parts/words.ts'

const contentOf = (text: string, more: object = {}) => ({
  document_id: 'doc_1',
  name: 'a.md',
  start: 0,
  end: text.length,
  length: text.length,
  text,
  pages: [],
  headings: [],
  warnings: [],
  ...more,
})

describe('a text as it was read', () => {
  it('is cut at its headings, and a passage is marked across them', () => {
    const text = 'Before\n\n# One\n\nFirst part.\n'
    const content = contentOf(text, { headings: [{ level: 1, title: 'One', start: 8 }] })
    const [sheet] = sheetsOf(content, { start: 10, end: 20 })
    expect(sheet?.blocks).toEqual([
      { start: 0, level: 0, pieces: [{ text: 'Before', marked: false }] },
      {
        start: 8,
        level: 1,
        pieces: [
          { text: '# ', marked: false },
          { text: 'One', marked: true },
        ],
      },
      {
        start: 15,
        level: 0,
        pieces: [
          { text: 'First', marked: true },
          { text: ' part.', marked: false },
        ],
      },
    ])
  })

  it('is cut at its pages, also where only a part of it was read', () => {
    const pages = [
      { number: 2, start: 90, end: 105 },
      { number: 3, start: 105, end: 200 },
    ]
    const sheets = sheetsOf(contentOf('0123456789', { start: 100, end: 110, length: 500, pages }), {
      start: 104,
      end: 106,
    })
    expect(
      sheets.map(({ page, blocks }) => [
        page,
        blocks[0]?.pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)),
      ]),
    ).toEqual([
      [2, ['0123', '[4]']],
      [3, ['[5]', '6789']],
    ])
  })

  it('is shown as it is where the passage lies elsewhere or is no passage', () => {
    for (const passage of [null, { start: 900, end: 950 }])
      expect(sheetsOf(contentOf('Text'), passage)[0]?.blocks[0]?.pieces).toEqual([{ text: 'Text', marked: false }])
  })
})

describe('words that were found', () => {
  const marked = (words: string[], text: string) =>
    text.split(patternOf(words) ?? /(?!)/).filter((_, place) => place % 2 === 1)

  it('are marked where they are whole, as they are written', () => {
    expect(marked(['Invoices', 'invoice', 'über'], 'Invoices: an invoice, preinvoice, über, Über')).toEqual([
      'Invoices',
      'invoice',
      'über',
    ])
  })

  it('are marked within a line in scripts without spaces', () => {
    expect(marked(['防守', 'NFL'], '黑豹队NFL防守组')).toEqual(['NFL', '防守'])
  })

  it('are never taken for a pattern', () => {
    expect(marked(['(.*)', 'a-b', '^c$'], 'x (.*) a-b y ^c$')).toEqual(['(.*)', 'a-b', '^c$'])
    expect(patternOf([])).toBeNull()
  })
})

describe('the arguments of a JSON Schema', () => {
  it('get the field that suits them, through references and null', () => {
    const schema = {
      $defs: { unit: { enum: ['a', 'b'] } },
      properties: {
        unit: { $ref: '#/$defs/unit' },
        days: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        name: { type: ['string', 'null'], description: 'Who.' },
        on: { type: 'boolean' },
        list: { type: 'array' },
        any: true,
        lost: { $ref: '#/$defs/none' },
      },
      required: ['unit'],
    }
    expect(argumentsOf(schema).map(({ name, field, required }) => [name, field, required])).toEqual([
      ['unit', 'choice', true],
      ['days', 'number', false],
      ['name', 'text', false],
      ['on', 'truth', false],
      ['list', 'json', false],
      ['any', 'json', false],
      ['lost', 'json', false],
    ])
  })

  it('end where a reference leads in a circle', () => {
    const schema = { $defs: { a: { $ref: '#/$defs/a' } }, properties: { loop: { $ref: '#/$defs/a' } } }
    expect(argumentsOf(schema)).toMatchObject([{ name: 'loop', field: 'json' }])
  })
})
