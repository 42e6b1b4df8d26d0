import { describe, expect, it } from 'vitest'
import type { GenerateRequest, ModelMessage } from './model.ts'
import { chatBody, usualDialect } from './openai-request.ts'

const request = (messages: ModelMessage[], more: Partial<GenerateRequest> = {}) =>
  ({ messages, tools: [], temperature: null, maxTokens: null, ...more }) as GenerateRequest
const bodyOf = (...given: Parameters<typeof request>) =>
  JSON.parse(chatBody('m', { user: 'u', messages: 'never' }, request(...given), usualDialect))

describe('the body of a request', () => {
  it('has what was said, whatever options the model has', () => {
    expect(bodyOf([{ role: 'user', content: 'Say "hi"\n\u2028' }], { temperature: 0 })).toEqual({
      user: 'u',
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      messages: [{ role: 'user', content: 'Say "hi"\n\u2028' }],
    })
  })

  it('is the same for a long history, the first time and the next', () => {
    const long = Array.from({ length: 150 }, (_, at): ModelMessage => ({ role: 'user', content: `No. "${at}"` }))
    const expected = long.map(({ content }) => ({ role: 'user', content }))
    for (const messages of [long, long, [...long.slice(1), { role: 'assistant' as const, content: 'Yes.' }]]) {
      const ends = messages === long ? expected : [...expected.slice(1), { role: 'assistant', content: 'Yes.' }]
      expect(bodyOf(messages).messages).toEqual(ends)
    }
  })
})
