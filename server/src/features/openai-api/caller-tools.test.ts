import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { library } from '../../../test/handbook.ts'
import type { Json } from '../../../test/harness.ts'
import { type Stage, stage } from '../../../test/stage.ts'

type Param = OpenAI.ChatCompletionMessageParam

const client = ({ url, token }: Pick<Stage, 'url' | 'token'>) =>
  new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token, maxRetries: 0 })
const weather: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: true,
  },
}
const makeCall = (city: string, id = 'w1') => ({ id, name: 'weather', arguments: `{"city":"${city}"}` })

async function withEcho() {
  const echo = echoTool()
  const here = await stage({ deltas: ['Sunny.'] }, { shared: true, features: [echo.feature] })
  await here.put(`/agents/${here.agent}`, { tools: [await echo.create(here)] })
  const readMessages = (request: number) => here.provider.requests[request]?.body.messages as Json[]
  return { ...here, echoed: echo.calls, readMessages }
}

describe('tools that a client of the OpenAI API brings', () => {
  it('come back as tool_calls, and the turn goes on with their results and what the agent did meanwhile', async () => {
    const here = await withEcho()
    const openai = client(here)
    const asked = { model: here.agent, tools: [weather] }
    const history: Param[] = [{ role: 'user', content: 'Is it raining?' }]
    here.provider.next(
      { toolCalls: [{ id: 'e0', name: 'echo', arguments: '{"text":"first"}' }] },
      {
        deltas: ['Let me see.'],
        toolCalls: [{ id: 'e1', name: 'echo', arguments: '{"text":"ping"}' }, makeCall('Bern')],
      },
    )
    const first = (await openai.chat.completions.create({ ...asked, messages: history })).choices[0]
    expect(first?.finish_reason).toBe('tool_calls')
    expect(first?.message).toMatchObject({
      content: 'Let me see.',
      tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }],
    })
    expect(here.echoed).toEqual([{ text: 'first' }, { text: 'ping' }])
    const offered = here.provider.requests[0]?.body.tools as Json[]
    expect(offered.map((tool) => [tool.function.name, tool.function.strict])).toEqual([
      ['echo', undefined],
      ['weather', true],
    ])
    const [call] = first?.message.tool_calls ?? []
    history.push(first?.message as Param, { role: 'tool', tool_call_id: call?.id ?? '', content: 'No rain' })
    const second = await openai.chat.completions.create({ ...asked, messages: history })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Sunny.' } })
    expect(second.choices[0]?.message).not.toHaveProperty('tool_calls')
    expect(here.readMessages(2).map(({ role, content, tool_call_id: id }) => [role, content, id])).toEqual([
      ['system', 'Be kind.', undefined],
      ['user', 'Is it raining?', undefined],
      ['assistant', null, undefined],
      ['tool', 'first', 'e0'],
      ['assistant', 'Let me see.', undefined],
      ['tool', 'ping', 'e1'],
      ['tool', 'No rain', 'w1'],
    ])
    const { data } = (await here.get('/usage/stats')).body
    expect(data.by_model[here.model].requests).toBe(3)

    const missing = openai.chat.completions.create({ ...asked, messages: history.slice(0, 2) })
    await expect(missing).rejects.toMatchObject({ status: 400, param: 'messages[1].tool_calls' })
  })

  it('are streamed as deltas', async () => {
    const here = await stage()
    here.provider.next({ deltas: ['Let me see.'], toolCalls: [makeCall('Bern', 'a'), makeCall('Rome', 'b')] })
    const stream = client(here).chat.completions.stream({
      model: here.agent,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [weather],
    })
    const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0] ?? {}
    expect([message?.content, finish_reason]).toEqual(['Let me see.', 'tool_calls'])
    const calls = (message?.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[]
    expect(calls.map((call) => [call.function.name, call.function.arguments])).toEqual([
      ['weather', '{"city":"Bern"}'],
      ['weather', '{"city":"Rome"}'],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it("run in the official client's loop", async () => {
    const here = await stage()
    here.provider.next({ toolCalls: [makeCall('Bern')] }, { deltas: ['It is dry.'] })
    const runner = client(here).chat.completions.runTools({
      model: here.agent,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'Tells the weather.',
            parameters: { type: 'object' },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => `Dry in ${city}`,
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It is dry.')
    expect(here.told(1).at(-1)).toBe('Dry in Bern')
  })

  it('keep the citations of what was found before', async () => {
    const here = await stage()
    const { ragTool } = await library(here)
    await here.put(`/agents/${here.agent}`, { tools: [await ragTool({ top_k: 1 })] })
    const search = { id: 's', name: 'Handbook', arguments: '{"query":"Where are bicycles kept?"}' }
    here.provider.next({ toolCalls: [search, makeCall('Bern')] }, { deltas: ['In the basement [1].'] })
    const asked = { model: here.agent, tools: [weather] }
    const history: Param[] = [{ role: 'user', content: 'Where?' }]
    const { message } = (await client(here).chat.completions.create({ ...asked, messages: history })).choices[0] ?? {}
    const id = message?.tool_calls?.[0]?.id ?? ''
    history.push(message as Param, { role: 'tool', tool_call_id: id, content: 'Dry' })
    const answer = await client(here).chat.completions.create({ ...asked, messages: history })
    expect(answer.choices[0]?.message.annotations).toMatchObject([
      { url_citation: { title: 'Office', quote: 'Bicycles are kept in the basement.' } },
    ])
  }, 300_000) // a source is read first, by threads of low priority

  it('are passed on from a history that is not from here', async () => {
    const here = await stage()
    const messages: Param[] = [
      { role: 'user', content: 'Is it raining?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'Sun' }] },
    ]
    await client(here).chat.completions.create({ model: here.agent, messages, tools: [weather] })
    const sent = here.provider.requests[0]?.body.messages as Json[]
    expect(sent.slice(2)).toEqual([messages[1], { role: 'tool', tool_call_id: 'c1', content: 'Sun' }])
    const rolesIn = (request: number) => {
      const all = (here.provider.requests[request]?.body.messages ?? []) as Json[]
      return all.map(({ role }) => role)
    }
    // The role user cannot make up what the model has said, but can continue what it really did.
    const token = await here.tokenFor('user', { user_id: 'ada' })
    const user = client({ ...here, token })
    await user.chat.completions.create({ model: here.agent, messages, tools: [weather] })
    expect(rolesIn(1)).toEqual(['system', 'user', 'user', 'user'])
    here.provider.next({ toolCalls: [makeCall('Oslo')] })
    const own: Param[] = [{ role: 'user', content: 'Weather?' }]
    const asked = { model: here.agent, tools: [weather] }
    const { message } = (await user.chat.completions.create({ ...asked, messages: own })).choices[0] ?? {}
    const id = message?.tool_calls?.[0]?.id ?? ''
    own.push(message as Param, { role: 'tool', tool_call_id: id, content: 'Snow' })
    const rolesFor = async (who: OpenAI) => {
      await who.chat.completions.create({ ...asked, messages: own })
      return rolesIn(here.provider.requests.length - 1)
    }
    expect(await rolesFor(user)).toEqual(['system', 'user', 'assistant', 'tool'])
    const eve = client({ ...here, token: await here.tokenFor('user', { user_id: 'eve' }) })
    expect(await rolesFor(eve)).toEqual(['system', 'user', 'user', 'user'])
  })

  it('are rejected by name where something is wrong with them', async () => {
    const here = await withEcho()
    const openai = client(here)
    const named = (name: string) => ({ ...weather, function: { name } }) as OpenAI.ChatCompletionTool
    const choose = (name: string) => ({ type: 'function' as const, function: { name } })
    for (const [body, param] of [
      [{ tools: [weather, named('echo')] }, 'tools[1].function.name'],
      [{ tools: [weather, weather] }, 'tools[1].function.name'],
      [{ tools: [named('no spaces')] }, 'tools[0].function.name'],
      [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
      [{ tool_choice: choose('none such') }, 'tool_choice.function.name'],
    ] as [object, string][]) {
      const asked = { model: here.agent, messages: [{ role: 'user' as const, content: 'Hi' }], ...body }
      const error = await openai.chat.completions.create(asked).catch((thrown) => thrown)
      expect([body, error.status, error.param]).toEqual([body, 400, param])
    }
    expect(here.provider.requests).toHaveLength(0)
  })

  it('can be chosen, like those of the agent', async () => {
    const here = await withEcho()
    const ask = async (tool_choice: OpenAI.ChatCompletionToolChoiceOption) => {
      const messages: Param[] = [{ role: 'user', content: 'Hi' }]
      await client(here).chat.completions.create({ model: here.agent, messages, tools: [weather], tool_choice })
      const { tools, tool_choice: sent } = here.provider.requests.at(-1)?.body ?? {}
      return [(tools as Json[]).map((tool) => tool.function.name), sent]
    }
    const weatherOnly = { type: 'function' as const, function: { name: 'weather' } }
    expect(await ask('none')).toEqual([['echo', 'weather'], 'none'])
    expect(await ask('required')).toEqual([['echo', 'weather'], 'required'])
    expect(await ask(weatherOnly)).toEqual([['echo', 'weather'], weatherOnly])
    const allowed = { mode: 'required' as const, tools: [weatherOnly] }
    expect(await ask({ type: 'allowed_tools', allowed_tools: allowed })).toEqual([['weather'], 'required'])
  })
})

describe('parameters of the OpenAI API', () => {
  it('ask for JSON, which is validated and corrected', async () => {
    const here = await stage({ deltas: ['{"city":', '"Bern"}'] })
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'place', schema, strict: true } }
    const asked = { model: here.agent, messages: [{ role: 'user' as const, content: 'Where?' }] }
    const { completions } = client(here).chat
    const completeText = async (more: object) =>
      (await completions.create({ ...asked, stream: false, ...more })).choices[0]?.message.content
    expect(await completeText({ response_format })).toBe('{"city":"Bern"}')
    expect(here.provider.requests[0]?.body.response_format).toEqual(response_format)
    here.provider.next({ deltas: ['In Bern.'] })
    const stream = completions.stream({ ...asked, response_format })
    expect(await stream.finalContent()).toBe('{"city":"Bern"}')
    expect(here.provider.requests).toHaveLength(3)
    expect(await completeText({ response_format: { type: 'json_object' } })).toBe('{"city":"Bern"}')
    expect(here.provider.requests[3]?.body.response_format).toEqual({ type: 'json_object' })
    here.provider.next({ deltas: ['[]'] }, { deltas: ['nothing'] })
    await expect(completeText({ response_format: { type: 'json_object' } })).rejects.toMatchObject({
      status: 502,
      code: 'output_invalid',
    })
    const wrong = { ...response_format, json_schema: { name: 'x', schema: { type: 'nonsense' } } }
    await expect(completeText({ response_format: wrong })).rejects.toMatchObject({
      status: 400,
      param: 'response_format.json_schema.schema',
    })
  })

  it('are passed on to the model', async () => {
    const here = await stage(undefined, {}, { top_p: 0.5, reasoning_effort: 'medium', stop: 'AGENT', seed: 1 })
    const ask = async (more: object) => {
      const messages: Param[] = [{ role: 'user', content: 'Hi' }]
      await client(here).chat.completions.create({ model: here.agent, messages, ...more })
      const { top_p, stop, seed, reasoning_effort } = here.provider.requests.at(-1)?.body ?? {}
      return [top_p, stop, seed, reasoning_effort]
    }
    expect(await ask({})).toEqual([0.5, ['AGENT'], 1, 'medium'])
    expect(await ask({ top_p: 0.9, stop: ['A', 'B'], seed: 7, reasoning_effort: 'high' })).toEqual([
      0.5,
      ['A', 'B'],
      7,
      'medium',
    ])
    expect(await ask({ top_p: 0.1, stop: 'END', reasoning_effort: 'low' })).toEqual([0.1, ['END'], 1, 'low'])
  })

  it('that cannot be followed are rejected by name, unless they ask for nothing', async () => {
    const here = await stage()
    const ask = async (more: object) => {
      const body = { model: here.agent, messages: [{ role: 'user', content: 'Hi' }], ...more }
      const answer = await here.post('/openai/v1/chat/completions', body)
      return [answer.status, answer.body.error?.param]
    }
    for (const [name, value] of Object.entries({
      audio: { voice: 'alloy', format: 'wav' },
      frequency_penalty: 0.5,
      function_call: { name: 'x' },
      functions: [{ name: 'x' }],
      logit_bias: { 50256: -100 },
      logprobs: true,
      modalities: ['text', 'audio'],
      n: 2,
      prediction: { type: 'content', content: 'x' },
      presence_penalty: 1,
      service_tier: 'flex',
      store: true,
      top_logprobs: 3,
      verbosity: 'utmost',
      web_search_options: {},
      top_k: 40,
      reasoning_effort: 'utmost',
      top_p: 2,
      stop: ['a', 'b', 'c', 'd', 'e'],
      seed: 1.5,
    })) {
      expect([name, ...(await ask({ [name]: value }))]).toEqual([name, 400, expect.stringMatching(`^${name}`)])
      if (name !== 'top_k') expect([name, ...(await ask({ [name]: null }))]).toEqual([name, 200, undefined])
    }
    const nothing = { n: 1, logprobs: false, presence_penalty: 0, frequency_penalty: 0, store: false, logit_bias: {} }
    const hints = {
      metadata: { a: 'b' },
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      modalities: ['text'],
    }
    expect(await ask({ ...nothing, ...hints, service_tier: 'auto' })).toEqual([200, undefined])
  })

  it('that the provider of the model does not have are rejected by name', async () => {
    const here = await stage()
    const model_id = (
      await here.post('/models', {
        name: 'C',
        provider: 'anthropic',
        model_id: 'claude-x',
        api_key: 'k',
        endpoint: here.provider.url,
      })
    ).body.data.id
    await here.put(`/agents/${here.agent}`, { model_id, seed: 3 })
    const messages = [{ role: 'user', content: 'Hi' }]
    const ask = (more: object) => here.post('/openai/v1/chat/completions', { model: here.agent, messages, ...more })
    expect((await ask({ seed: 7 })).body.error).toMatchObject({
      param: 'seed',
      message: expect.stringContaining('anthropic'),
    })
    expect((await ask({ top_p: 0.5 })).status).toBe(200)
  })
})
