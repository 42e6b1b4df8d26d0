import { describe, expect, it } from 'vitest'
import { layoutPages } from '../src/pages/knowledge/document-layout.ts'
import { listArguments } from '../src/pages/tools/argument-shapes.ts'
import { termPattern } from '../src/parts/term-pattern.ts'

const makeContent = (text: string, more: object = {}) => ({
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

describe('the layout of a document', () => {
  it('splits at headings and highlights a passage across them', () => {
    const text = 'Before\n\n# One\n\nFirst part.\n'
    const content = makeContent(text, { headings: [{ level: 1, title: 'One', start: 8 }] })
    const [page] = layoutPages(content, { start: 10, end: 20 })
    expect(page?.blocks).toEqual([
      { start: 0, level: 0, segments: [{ text: 'Before', isHighlighted: false }] },
      {
        start: 8,
        level: 1,
        segments: [
          { text: '# ', isHighlighted: false },
          { text: 'One', isHighlighted: true },
        ],
      },
      {
        start: 15,
        level: 0,
        segments: [
          { text: 'First', isHighlighted: true },
          { text: ' part.', isHighlighted: false },
        ],
      },
    ])
  })

  it('splits at pages, also if only a range was loaded', () => {
    const pages = [
      { number: 2, start: 90, end: 105 },
      { number: 3, start: 105, end: 200 },
    ]
    const layout = layoutPages(makeContent('0123456789', { start: 100, end: 110, length: 500, pages }), {
      start: 104,
      end: 106,
    })
    expect(
      layout.map(({ page, blocks }) => [
        page,
        blocks[0]?.segments.map(({ text, isHighlighted }) => (isHighlighted ? `[${text}]` : text)),
      ]),
    ).toEqual([
      [2, ['0123', '[4]']],
      [3, ['[5]', '6789']],
    ])
  })

  it('highlights nothing without a passage in range', () => {
    for (const passage of [null, { start: 900, end: 950 }])
      expect(layoutPages(makeContent('Text'), passage)[0]?.blocks[0]?.segments).toEqual([
        { text: 'Text', isHighlighted: false },
      ])
  })
})

describe('the pattern for matched terms', () => {
  const marked = (words: string[], text: string) =>
    text.split(termPattern(words) ?? /(?!)/).filter((_, index) => index % 2 === 1)

  it('matches whole words, case-sensitively', () => {
    expect(marked(['Invoices', 'invoice', 'über'], 'Invoices: an invoice, preinvoice, über, Über')).toEqual([
      'Invoices',
      'invoice',
      'über',
    ])
  })

  it('matches within a line in scripts without spaces', () => {
    expect(marked(['防守', 'NFL'], '黑豹队NFL防守组')).toEqual(['NFL', '防守'])
  })

  it('escapes special characters', () => {
    expect(marked(['(.*)', 'a-b', '^c$'], 'x (.*) a-b y ^c$')).toEqual(['(.*)', 'a-b', '^c$'])
    expect(termPattern([])).toBeNull()
  })
})

describe('the arguments in a JSON Schema', () => {
  it('get a matching form field, through references and null', () => {
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
    expect(listArguments(schema).map(({ name, field, required }) => [name, field, required])).toEqual([
      ['unit', 'choice', true],
      ['days', 'number', false],
      ['name', 'text', false],
      ['on', 'boolean', false],
      ['list', 'json', false],
      ['any', 'json', false],
      ['lost', 'json', false],
    ])
  })

  it('survive circular references', () => {
    const schema = { $defs: { a: { $ref: '#/$defs/a' } }, properties: { loop: { $ref: '#/$defs/a' } } }
    expect(listArguments(schema)).toMatchObject([{ name: 'loop', field: 'json' }])
  })
})
