import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '../../../server/src/kernel/llm/model.ts'
import { passagesOfTurn } from './passages.ts'

const tool = (content: unknown, name = 'search'): ModelMessage => ({
  role: 'tool',
  toolCallId: `call_${name}`,
  name,
  content: typeof content === 'string' ? content : JSON.stringify(content),
})
const user: ModelMessage = { role: 'user', content: 'Where?' }
const contents = (...messages: ModelMessage[]) => passagesOfTurn([user, ...messages]).map(({ content }) => content)

describe('the passages of a turn', () => {
  it('are the results of its searches, with what is known of them', () => {
    const result = { content: 'Text.', score: 0.5, metadata: { source: 'a.pdf', page: 3 } }
    expect(passagesOfTurn([user, tool({ query: 'q', results: [result] })])).toEqual([
      {
        content: 'Text.',
        score: 0.5,
        source: 'a.pdf',
        page: 3,
        tool: 'search',
        toolCallId: 'call_search',
        kind: 'found',
      },
    ])
  })

  it('are only those since the user last spoke, of all tools, in order', () => {
    const messages = [user, tool('old'), user, tool({ results: [{ content: 'a' }] }), tool('b', 'clock')]
    expect(passagesOfTurn(messages).map(({ content, tool: name }) => [content, name])).toEqual([
      ['a', 'search'],
      ['b', 'clock'],
    ])
  })

  it('are found inside of what wraps them, but not endlessly deep', () => {
    const results = [{ content: 'a' }]
    expect(contents(tool({ data: { answer: { results } } }))).toEqual(['a'])
    expect(contents(tool([{ results }, { results: [{ content: 'b' }] }]))).toEqual(['a', 'b'])
    const [deep] = passagesOfTurn([user, tool({ a: { b: { c: { d: { e: { results } } } } } })])
    expect(deep?.kind).toBe('data')
  })

  it('are the elements of any list that have a text', () => {
    expect(contents(tool([{ text: 'a' }, { snippet: 'b' }]))).toEqual(['a', 'b'])
    expect(contents(tool({ hits: [{ title: 'A', text: 'a' }] }))).toEqual(['a'])
  })

  it('keep their places when one has no text', () => {
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

  it('are what a tool says, in words or in lines that can be read', () => {
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

  it('are read out of the parts of an MCP answer', () => {
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

  it('bear any depth', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(contents(tool(deep))).toHaveLength(1)
    expect(contents(tool(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`))).toEqual(['a.a.a.a.a.a.a.a: …'])
  })
})
