import { UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import { mcpServer, type ServedTool } from '../../../../test/mcp-server.ts'
import { mayCallLoopback } from '../../../../test/scripted-api.ts'
import { stage } from '../../../../test/stage.ts'

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

const asking = (params: object): ServedTool => ({
  name: 'book',
  annotations: { readOnlyHint: true },
  async run(_args, _report, elicit) {
    const answer = await elicit(params)
    return 'resultType' in answer ? answer : text(`Answer: ${JSON.stringify(answer)}`)
  },
})

const form = {
  mode: 'form',
  message: 'When shall I book?',
  requestedSchema: {
    type: 'object',
    properties: { day: { type: 'string', enum: ['monday', 'friday'] }, people: { type: 'integer', minimum: 1 } },
    required: ['day'],
  },
}

async function withQuestion(params: object, options: { sessions?: boolean }, more: object = {}, tool = asking(params)) {
  const server = await mcpServer([tool], options)
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const made = await here.post('/api-tools', { name: 'table', description: 'T', type: 'mcp', url: server.url, ...more })
  await here.put(`/agents/${here.agent}`, { tools: [made.body.data.id] })
  here.provider.next({ toolCalls: [{ id: 'c1', name: 'table_book', arguments: '{}' }] })
  const id = await here.talk()
  const { data } = (await here.say(id, 'Book a table')).body
  const answer = (body: object) =>
    here.post(`/conversations/${id}/messages/${data.id}/input`, { tool_call_id: 'c1', ...body })
  return { ...here, server, id, data, answer }
}

describe.each([{ sessions: false }, { sessions: true }])('a question of a tool (%o)', (options) => {
  it('is a form that the person fills in', async () => {
    const { data, answer, get } = await withQuestion(form, options)
    expect(data.status).toBe('awaiting_input')
    expect(data.tool_calls[0]).toMatchObject({
      status: 'awaiting_input',
      inputs: [{ message: form.message, schema: form.requestedSchema, action: null }],
    })
    const wrong = await answer({ action: 'accept', content: { day: 'sunday', people: 0, dog: true } })
    expect([wrong.status, wrong.body.details.map(({ path }: Json) => path).sort()]).toEqual([
      400,
      ['content.day', 'content.dog', 'content.people'],
    ])
    const done = (await answer({ action: 'accept', content: { day: 'friday' } })).body.data
    expect(done).toMatchObject({ status: 'completed', content: 'Done' })
    expect(done.tool_calls[0].result).toContain('"day":"friday"')
    expect(done.tool_calls[0].inputs).toMatchObject([
      { action: 'accept', content: { day: 'friday' }, answered_at: expect.any(String) },
    ])
    expect((await answer({ action: 'decline' })).status).toBe(409)
    const audited = (await get('/audit?limit=20')).body.data.map(({ action, kind }: Json) => `${action} ${kind}`)
    expect(audited).toContain('accept input of tool call')
  })

  it('can be declined, which the tool learns', async () => {
    const { answer } = await withQuestion(form, options)
    const done = (await answer({ action: 'decline' })).body.data
    expect([done.status, done.tool_calls[0].result]).toEqual(['completed', expect.stringContaining('"decline"')])
  })

  it('may be a page to open', async () => {
    const page = { mode: 'url', message: 'Pay here', url: 'https://pay.example/1', elicitationId: 'e1' }
    const { data, answer } = await withQuestion(page, options)
    expect(data.tool_calls[0].inputs).toEqual([{ message: 'Pay here', url: page.url, action: null }])
    expect((await answer({ action: 'accept', content: { a: 1 } })).status).toBe(400)
    const done = (await answer({ action: 'accept' })).body.data
    expect([done.status, done.tool_calls[0].result]).toEqual(['completed', expect.stringContaining('"accept"')])
  })

  // The protocol without sessions has no such error: its servers ask with a result.
  if (options.sessions)
    it('may be a page that the server wants opened before it takes the call', async () => {
      const asked = { mode: 'url', message: 'Sign here', url: 'https://sign.example/1', elicitationId: 'e1' }
      let isSigned = false
      const sign: ServedTool = {
        name: 'book',
        annotations: { readOnlyHint: true },
        run() {
          if (!isSigned) throw new UrlElicitationRequiredError([asked] as never)
          return text('Signed')
        },
      }
      const { data, answer } = await withQuestion({}, options, {}, sign)
      expect([data.status, data.tool_calls[0].inputs]).toEqual([
        'awaiting_input',
        [{ message: 'Sign here', url: asked.url, action: null }],
      ])
      expect((await answer({ action: 'accept' })).body.data.status).toBe('awaiting_input') // not signed yet
      isSigned = true
      const done = (await answer({ action: 'accept' })).body.data
      expect([done.status, done.tool_calls[0].result]).toEqual(['completed', 'Signed'])
    })

  it('never asks for a secret by form', async () => {
    const schema = (properties: object, more = {}) => ({ requestedSchema: { type: 'object', properties, ...more } })
    const answer = { answer: { type: 'string' } }
    const hidden = { more: { type: 'object', properties: answer } }
    const secrets = [
      { ...form, ...schema({ apiKey: { type: 'string' } }) },
      { ...form, message: 'Enter your password', ...schema(answer) },
      { ...form, ...schema(answer, { description: 'Your one-time code' }) },
    ]
    for (const secret of secrets) {
      const { data } = await withQuestion(secret, options)
      expect([data.status, data.tool_calls[0].result]).toEqual(['completed', expect.stringContaining('"decline"')])
      expect(data.tool_calls[0].inputs).toBeUndefined()
    }
    const { data } = await withQuestion({ ...form, ...schema(hidden) }, options)
    expect(data.tool_calls).toMatchObject([{ result: expect.stringContaining('Invalid elicitation') }])
    expect(data.tool_calls[0].inputs).toBeUndefined()
  })
})
