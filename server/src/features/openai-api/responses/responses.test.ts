import OpenAI, { type APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { png } from '../../../../test/attachments.ts'
import { answering, asking, cautious } from '../../../../test/cautious-stage.ts'
import { echoTool } from '../../../../test/echo-tool.ts'
import { type Json, until } from '../../../../test/harness.ts'
import type { Script } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

const client = ({ url, token }: { url: string; token: string }) =>
  new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token, maxRetries: 0 })
const reply = { deltas: ['Hel', 'lo'], usage: { input: 20, output: 2, cachedInput: 5 } } as Script
const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
}

describe('the official OpenAI client creates responses', () => {
  it('with an agent as the model', async () => {
    const here = await stage(reply)
    const response = await client(here).responses.create({
      model: here.agent,
      input: 'Hi',
      instructions: 'Answer in English.',
      temperature: 0.5,
      max_output_tokens: 10,
      metadata: { order: '7' },
    })
    expect(response.output_text).toBe('Hello')
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: here.agent,
      error: null,
      incomplete_details: null,
      instructions: 'Answer in English.',
      metadata: { order: '7' },
      temperature: 0.5,
      max_output_tokens: 10,
      tools: [],
      tool_choice: 'auto',
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 22,
      },
    })
    expect(response.id).toMatch(/^resp_/)
    expect(here.told(0)).toEqual(['Be kind.\n\nAnswer in English.', 'Hi'])
    expect(here.provider.requests[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 10 })
    expect(await client(here).responses.retrieve(response.id)).toEqual(response)
  })

  it('with images and documents', async () => {
    const here = await stage(reply)
    await here.put(`/models/${here.model}`, { input_modalities: ['text', 'image'] })
    const { responses } = client(here)
    const image = `data:image/png;base64,${png().toString('base64')}`
    const ask = (...content: OpenAI.Responses.ResponseInputContent[]) =>
      responses.create({ model: here.agent, input: [{ role: 'user', content }] })
    const response = await ask(
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: image, detail: 'auto' },
      {
        type: 'input_file',
        filename: 'tea.md',
        file_data: `data:text/markdown;base64,${Buffer.from('# Tea\n\nGreen tea is brewed at 80 degrees.').toString('base64')}`,
      },
    )
    expect(response.output_text).toBe('Hello')
    const sent = JSON.stringify(here.provider.requests[0]?.body)
    expect(sent).toContain(image)
    expect(sent).toContain('brewed at 80 degrees')
    const { data: items } = await responses.inputItems.list(response.id)
    expect(JSON.stringify(items)).not.toContain('base64')
    const file = /fil_[a-z0-9]+/.exec(JSON.stringify(items))?.[0]
    expect((await here.get(`/files/${file}`)).body.data.media_type).toBe('image/png')
    const again = await ask(
      { type: 'input_text', text: 'And now?' },
      { type: 'input_image', file_id: file ?? '', detail: 'auto' },
    )
    expect(again.status).toBe('completed')
    const refused = async (part: object) =>
      (await ask({ type: 'input_text', text: 'See' }, part as never).catch((error) => error)) as APIError
    const web = await refused({ type: 'input_image', image_url: 'https://a.example/cat.png' })
    expect([web.status, web.param]).toEqual([400, 'input[0].content[1].image_url'])
    const broken = await refused({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' })
    expect(broken.status).toBe(400)
    const unknown = await refused({ type: 'input_file', file_id: 'fil_none' })
    expect(unknown.status).toBe(400)
  })

  it('in a conversation that goes on', async () => {
    const here = await stage(reply)
    const { responses } = client(here)
    const first = await responses.create({
      model: here.agent,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'One' }] },
      ],
    })
    const second = await responses.create({ previous_response_id: first.id, input: 'Two', model: here.agent })
    expect(second).toMatchObject({ previous_response_id: first.id, conversation: first.conversation })
    expect(here.told(1)).toEqual(['Be kind.\n\nBe brief.', 'One', 'Hello', 'Two'])
    const branch = await responses.create({ previous_response_id: first.id, input: 'Three' })
    expect(here.told(2)).toEqual(['Be kind.\n\nBe brief.', 'One', 'Hello', 'Three'])
    const conversation = first.conversation?.id ?? ''
    await responses.create({ conversation, input: 'Four' })
    expect(here.told(3).slice(-2)).toEqual(['Hello', 'Four'])
    expect(here.told(3)).toContain('Three')
    const { messages } = (await here.get(`/conversations/${conversation}`)).body.data
    expect(messages.map(({ content }: { content: string }) => content)).toContain('Four')
    expect(branch.conversation?.id).toBe(conversation)
  })

  it('with functions that the client runs', async () => {
    const here = await stage(reply)
    const { responses } = client(here)
    here.provider.next({ toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' }] })
    const asked = await responses.create({ model: here.agent, input: 'Is it raining in Bern?', tools: [weather] })
    expect(asked.output).toEqual([
      expect.objectContaining({
        type: 'function_call',
        call_id: 'c1',
        name: 'weather',
        arguments: '{"city":"Bern"}',
        status: 'completed',
      }),
    ])
    expect(asked.status).toBe('completed')
    const missing = responses.create({ previous_response_id: asked.id, input: 'And?', tools: [weather] })
    await expect(missing).rejects.toMatchObject({ status: 400, param: 'input' })

    here.provider.next({ toolCalls: [{ id: 'c2', name: 'weather', arguments: '{"city":"Thun"}' }] })
    const more = await responses.create({
      previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id: 'c1', output: 'Sun' }],
      tools: [weather],
    })
    expect(more.output).toMatchObject([{ type: 'function_call', call_id: 'c2' }])
    const last = await responses.create({
      previous_response_id: more.id,
      input: [{ type: 'function_call_output', call_id: 'c2', output: 'Rain' }],
      tools: [weather],
    })
    expect(last.output_text).toBe('Hello')
    const sent = here.provider.requests.at(-1)?.body.messages as Record<string, unknown>[]
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(sent.map(({ content }) => content).filter(Boolean)).toEqual([
      'Be kind.',
      'Is it raining in Bern?',
      'Sun',
      'Rain',
    ])
    // Later turns get the calls from the messages that are stored.
    await responses.create({ previous_response_id: last.id, input: 'Thanks', tools: [weather] })
    const later = here.provider.requests.at(-1)?.body.messages as Record<string, unknown>[]
    expect(later.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('that are JSON of a schema', async () => {
    const here = await stage({ deltas: ['{"city":', '"Bern"}'] })
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const format = { type: 'json_schema' as const, name: 'place', schema, strict: true }
    const { responses } = client(here)
    const parsed = await responses.create({ model: here.agent, input: 'Where?', text: { format } })
    expect(JSON.parse(parsed.output_text)).toEqual({ city: 'Bern' })
    expect(parsed.text?.format).toMatchObject(format)
    expect(here.provider.requests[0]?.body.response_format).toMatchObject({ json_schema: { name: 'place' } })
    const any = { model: here.agent, input: 'Where?', text: { format: { type: 'json_object' as const } }, store: false }
    expect((await responses.create(any)).output_text).toBe('{"city":"Bern"}')
    here.provider.next({ deltas: ['Bern'] }, { deltas: ['Bern, I said'] })
    const invalid = responses.create({ model: here.agent, input: 'Where?', text: { format } })
    await expect(invalid).rejects.toMatchObject({ status: 502, code: 'output_invalid' })
  })

  it("shows the calls of the agent's own tools", async () => {
    const echo = echoTool()
    const here = await stage(reply, { shared: true, features: [echo.feature] })
    const tool = await echo.create(here)
    await here.put(`/agents/${here.agent}`, { tools: [tool] })
    here.provider.next({ deltas: ['Wait.'], toolCalls: [{ name: 'echo', arguments: '{"text":"ping"}' }] }, reply)
    const response = await client(here).responses.create({ model: here.agent, input: 'Echo' })
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'Wait.' }] },
      { type: 'mcp_call', server_label: 'agent', name: 'echo', arguments: '{"text":"ping"}', output: 'ping' },
      { type: 'message', content: [{ text: 'Hello' }] },
    ])
    const clash = client(here).responses.create({
      model: here.agent,
      input: 'Hi',
      tools: [{ ...weather, name: 'echo' }],
    })
    await expect(clash).rejects.toMatchObject({ status: 400, param: 'tools[0].name' })
  })
})

describe('a call that needs approval', () => {
  it('leaves the response in progress, which goes on after the decision', async () => {
    const { provider, post, get, agent, calls } = await cautious()
    provider.next(asking, answering)
    const waiting = (await post('/openai/v1/responses', { model: agent, input: 'Send it' })).body
    expect([waiting.status, waiting.output[0].content[0].text]).toEqual(['in_progress', 'Let me ask. '])
    const request = waiting.output[1]
    expect(request).toEqual({
      id: expect.stringMatching(/^apr_/),
      type: 'mcp_approval_request',
      server_label: 'agent',
      name: 'echo_1',
      arguments: '{"text":"sent"}',
      approval_url: expect.stringMatching(/^http.*\/approvals$/),
    })
    const path = `/openai/v1/responses/${waiting.id}`
    expect((await get(path)).body).toEqual(waiting)
    expect(
      (await post('/openai/v1/responses', { model: agent, input: 'And?', previous_response_id: waiting.id })).status,
    ).toBe(409)

    expect((await post(`/approvals/${request.id}`, { approved: true })).status).toBe(200)
    const done = await until(async () => {
      const { body } = await get(path)
      return body.status === 'completed' && body
    })
    expect(done.output.map((item: Json) => item.type)).toEqual([
      'message',
      'mcp_approval_request',
      'mcp_call',
      'message',
    ])
    expect(done.output[2]).toMatchObject({ output: 'sent', approval_request_id: request.id })
    expect(calls).toEqual([{ text: 'sent' }])
  })

  it('is refused where the response brings tools of its own, or is not stored', async () => {
    const { provider, post, agent, calls, heard } = await cautious()
    const tools = [{ type: 'function', name: 'mine', parameters: { type: 'object' } }]
    for (const more of [{ tools }, { store: false }]) {
      provider.next(asking, answering)
      const { body } = await post('/openai/v1/responses', { model: agent, input: 'Send it', ...more })
      expect(body.status).toBe('completed')
      expect(body.output[1]).toMatchObject({ type: 'mcp_call', status: 'failed', name: 'echo_1' })
    }
    expect(heard(1).at(-1).content).toContain('Tell the user so')
    expect(calls).toEqual([])
  })
})
