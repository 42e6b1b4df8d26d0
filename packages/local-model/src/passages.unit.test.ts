import { describe, expect, it } from 'vitest'
import { passagesIn } from './passages.ts'

const tool = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))
const contents = (result: string) => passagesIn(result, 'search').map(({ content }) => content)

describe('the passages in the result of a tool', () => {
  it('are the results of a search, with their score and source', () => {
    const result = { content: 'Text.', score: 0.5, metadata: { source: 'a.pdf', page: 3, headings: ['Lamps', 7] } }
    expect(passagesIn(tool({ query: 'q', results: [result] }), 'search')).toEqual([
      {
        content: 'Text.',
        score: 0.5,
        source: 'a.pdf',
        page: 3,
        headings: ['Lamps'],
        tool: 'search',
        kind: 'found',
        citation: null,
      },
    ])
  })

  it('have the number under which a search offers them for citation', () => {
    const metadata = { source: 'a.pdf' }
    const results = [
      { index: 4, content: 'cited', metadata },
      { index: 5, content: 'a row of another tool' },
      { index: -1, content: 'below', metadata },
      { index: '6', content: 'text', metadata },
    ]
    expect(passagesIn(tool({ results }), 'search').map(({ citation }) => citation)).toEqual([4, null, null, null])
    expect(passagesIn('noon', 'clock').map(({ citation }) => citation)).toEqual([null])
  })

  it('are found in nested objects, up to a depth', () => {
    const results = [{ content: 'a' }]
    expect(contents(tool({ data: { answer: { results } } }))).toEqual(['a'])
    expect(contents(tool([{ results }, { results: [{ content: 'b' }] }]))).toEqual(['a', 'b'])
    const [deep] = passagesIn(tool({ a: { b: { c: { d: { e: { results } } } } } }), 'search')
    expect(deep?.kind).toBe('data')
  })

  it('are the elements of any list that have a text', () => {
    expect(contents(tool([{ text: 'a' }, { snippet: 'b' }]))).toEqual(['a', 'b'])
    expect(contents(tool({ hits: [{ title: 'A', text: 'a' }] }))).toEqual(['a'])
  })

  it('keep their position if one has no text', () => {
    expect(contents(tool({ results: [{ content: 'a' }, {}, null, 7, { content: 'b' }] }))).toEqual([
      'a',
      '',
      '',
      '',
      'b',
    ])
  })

  it('are none when nothing was found', () => {
    expect(contents(tool({ results: [] }))).toEqual([])
  })

  it('are the result of other tools, as text or readable lines', () => {
    expect(contents(tool('It is noon.'))).toEqual(['It is noon.'])
    expect(contents(tool('"It is noon."'))).toEqual(['It is noon.'])
    expect(contents(tool('{"broken": '))).toEqual(['{"broken": '])
    expect(contents(tool(42))).toEqual(['42'])
    expect(
      contents(tool({ city: 'Paris', main: { temp: 21.5 }, rain: false, tags: ['dry', 'warm'], wind: null })),
    ).toEqual(['city: Paris\nmain.temp: 21.5\nrain: false\ntags: dry, warm'])
    expect(
      contents(
        tool({
          items: [
            { name: 'A', price: 3 },
            { name: 'B', price: 4 },
          ],
        }),
      ),
    ).toEqual(['items: name: A, price: 3\nitems: name: B, price: 4'])
  })

  it('are read from the parts of an MCP result', () => {
    const text = JSON.stringify({ results: [{ content: 'a' }] })
    expect(
      contents(
        tool({
          content: [
            { type: 'text', text },
            { type: 'text', text: 'plain' },
          ],
        }),
      ),
    ).toEqual(['a', 'plain'])
  })

  it('accept any depth of nesting', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(contents(tool(deep))).toHaveLength(1)
    expect(contents(tool(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`))).toEqual(['a.a.a.a.a.a.a.a: …'])
  })
})
