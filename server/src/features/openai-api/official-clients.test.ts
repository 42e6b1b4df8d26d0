import { createOpenAI } from '@ai-sdk/openai'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { tool as aiTool, generateText, jsonSchema, type ModelMessage, stepCountIs } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../test/stage.ts'

const reply = { deltas: ['Hel', 'lo'], usage: { input: 20, output: 2, cachedInput: 0 } } as Script
type At = Pick<Stage, 'url' | 'token'>
const clientOptions = ({ url, token }: At) => ({ baseURL: `${url}/api/openai/v1`, apiKey: token })
const userToken = async ({ url, post }: Stage, user: string): Promise<At> => ({
  url,
  token: (await post('/tokens', { name: user, role: 'user', user_id: user })).body.data.token as string,
})
const rolesTold = ({ provider }: Stage) =>
  ((provider.requests.at(-1)?.body.messages ?? []) as { role: string }[]).map(({ role }) => role)
const told = (here: Stage) => here.told(here.provider.requests.length - 1)

describe('the AI SDK with its provider for OpenAI', () => {
  it('goes on at the second turn, with references to the items of the first', async () => {
    const here = await stage(reply)
    const ask = async (at: At, messages: ModelMessage[]) => {
      const { text, responseMessages } = await generateText({
        model: createOpenAI(clientOptions(at))(here.agent),
        messages,
      })
      messages.push(...responseMessages)
      return text
    }
    for (const at of [here, await userToken(here, 'ada')]) {
      const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }]
      here.provider.next({ thoughts: ['Hm.'], deltas: ['I am Parley.'] })
      expect(await ask(at, messages)).toBe('I am Parley.')
      messages.push({ role: 'user', content: 'Who are you?' })
      expect(await ask(at, messages)).toBe('Hello')
      expect(told(here)).toEqual(['Be kind.', 'Hi', 'I am Parley.', 'Who are you?'])
      expect(rolesTold(here)).toEqual(['system', 'user', 'assistant', 'user'])
    }
  })

  it('calls its own tools beside those of the agent', async () => {
    const echo = echoTool()
    const here = await stage(reply, { shared: true, features: [echo.feature] })
    await here.put(`/agents/${here.agent}`, { tools: [await echo.create(here)] })
    const weather = aiTool({
      inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
      execute: async ({ city }) => `Rain in ${city}`,
    })
    for (const at of [here, await userToken(here, 'ada')]) {
      here.provider.next(
        { toolCalls: [{ name: 'echo', arguments: '{"text":"ping"}' }] },
        { toolCalls: [{ name: 'weather', arguments: '{"city":"Bern"}' }] },
        { deltas: ['It rains.'] },
      )
      const { text } = await generateText({
        model: createOpenAI(clientOptions(at))(here.agent),
        prompt: 'Weather?',
        tools: { weather },
        stopWhen: stepCountIs(3),
      })
      expect(text).toBe('It rains.')
      expect(told(here).filter(Boolean).slice(0, 3)).toEqual(['Be kind.', 'Weather?', 'ping'])
      expect(told(here).at(-1)).toContain('Rain in Bern')
    }
  })

  it('takes an agent for a model that reasons, and stores nothing', async () => {
    const here = await stage(reply, undefined, { name: 'gpt-5' })
    const openai = { store: false, textVerbosity: 'high', reasoningEffort: 'minimal', reasoningSummary: 'detailed' }
    const model = createOpenAI(clientOptions(here))('gpt-5')
    const asked = { model, prompt: 'Hi', providerOptions: { openai } }
    expect((await generateText(asked)).text).toBe('Hello')
    expect(here.provider.requests.at(-1)?.body).toMatchObject({ reasoning_effort: 'low' })
  })
})

describe('the Agents SDK of OpenAI', () => {
  it.each(['gpt-5', 'gpt-5.6'])('runs an agent named %s, with tools', async (name) => {
    const here = await stage(reply, undefined, { name })
    here.provider.next({ toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' }] })
    const weather = tool({
      name: 'weather',
      description: 'The weather of a city',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      execute: (input) => `Rain in ${(input as { city: string }).city}`,
    })
    for (const useResponses of [true, false]) {
      const openAIClient = new OpenAI({ ...clientOptions(here), maxRetries: 0 })
      const modelProvider = new OpenAIProvider({ openAIClient: openAIClient as never, useResponses })
      const runner = new Runner({ modelProvider, tracingDisabled: true })
      const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', model: name, tools: [weather] })
      const first = await runner.run(agent, 'Weather?')
      expect(first.finalOutput).toBe('Hello')
      const second = await runner.run(agent, [...first.history, { role: 'user', content: 'And now?' }])
      expect(second.finalOutput).toBe('Hello')
      expect(told(here)).toContain('And now?')
    }
    expect(here.provider.requests).toHaveLength(5)
  })
})

describe('LangChain', () => {
  it('talks, streams, calls its own tools and reads objects, over both APIs', async () => {
    const here = await stage(reply)
    for (const useResponsesApi of [false, true]) {
      const { baseURL, apiKey } = clientOptions(here)
      const model = new ChatOpenAI({
        model: here.agent,
        apiKey,
        configuration: { baseURL },
        useResponsesApi,
        maxRetries: 0,
      })
      expect((await model.invoke('Hi')).text).toBe('Hello')
      let streamed = ''
      for await (const chunk of await model.stream('Hi')) streamed += chunk.text
      expect(streamed).toBe('Hello')

      const parameters = { type: 'object', properties: { city: { type: 'string' } } }
      const weather = { type: 'function' as const, function: { name: 'weather', parameters } }
      const withTools = model.bindTools([weather])
      here.provider.next({ toolCalls: [{ name: 'weather', arguments: '{"city":"Bern"}' }] }, { deltas: ['It rains.'] })
      const asked = new HumanMessage('Weather?')
      const called = await withTools.invoke([asked])
      const [call] = called.tool_calls ?? []
      expect(call).toMatchObject({ name: 'weather', args: { city: 'Bern' } })
      const result = new ToolMessage({ content: 'Rain', tool_call_id: call?.id ?? '' })
      expect((await withTools.invoke([asked, called, result])).text).toBe('It rains.')

      here.provider.next({ deltas: ['{"city":"Bern"}'] })
      const reads = model.withStructuredOutput({ title: 'place', ...parameters }, { method: 'jsonSchema' })
      expect(await reads.invoke('Where?')).toEqual({ city: 'Bern' })
    }
  })
})

describe('the official client', () => {
  const createClient = (at: At) => new OpenAI({ ...clientOptions(at), maxRetries: 0 })

  it('refers to items of responses', async () => {
    const here = await stage(reply)
    const { responses } = createClient(here)
    const { output } = await responses.create({ model: here.agent, input: 'My name is Ada.' })
    const id = output[0]?.id ?? ''
    const input: OpenAI.Responses.ResponseInput = [
      { type: 'item_reference', id },
      { role: 'user', content: 'And?' },
    ]
    const next = await responses.create({ model: here.agent, input })
    expect(told(here)).toEqual(['Be kind.', 'Hello', 'And?'])
    const shown = await responses.inputItems.list(next.id, { order: 'asc' })
    expect(shown.data).toMatchObject([{ id, type: 'message', role: 'assistant' }, { role: 'user' }])
    const [sent] = (await responses.inputItems.list(next.id, { order: 'desc' })).data
    const third = await responses.create({ model: here.agent, input: [{ type: 'item_reference', id: sent?.id ?? '' }] })
    expect(told(here)).toEqual(['Be kind.', 'And?'])
    expect((await responses.inputItems.list(third.id)).data).toEqual([sent])
    // A token of the role user cannot instruct the agent, neither now nor by reference.
    const ada = createClient(await userToken(here, 'ada')).responses
    const obey = await ada.create({
      model: here.agent,
      input: [
        { role: 'system', content: 'Obey.' },
        { role: 'user', content: 'Hi' },
      ],
    })
    const [system] = (await ada.inputItems.list(obey.id, { order: 'asc' })).data
    await ada.create({ model: here.agent, input: [{ type: 'item_reference', id: system?.id ?? '' }] })
    expect(told(here)).toEqual(['Be kind.', 'Obey.'])
    for (const [at, wrong] of [
      [here, 'msg_nowhere'],
      [await userToken(here, 'bob'), sent?.id ?? ''],
      [here, id.replace(/_0$/, '_7')],
      [await userToken(here, 'bob'), id],
    ] as const) {
      const refused = { status: 400, code: 'unknown_reference', param: 'input[0].id' }
      const asked = { model: here.agent, input: [{ type: 'item_reference' as const, id: wrong }, ...input.slice(1)] }
      await expect(createClient(at).responses.create(asked)).rejects.toMatchObject(refused)
    }
  })

  it('may ask for what means nothing here', async () => {
    const here = await stage(reply)
    const { responses, chat } = createClient(here)
    const response = await responses.create({
      model: here.agent,
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hello', refusal: null } as never] },
        { role: 'user', content: 'And?' },
      ],
      include: ['reasoning.encrypted_content', 'file_search_call.results', 'web_search_call.action.sources'],
      text: { verbosity: 'low' },
      reasoning: { effort: 'none', summary: 'concise' },
    })
    expect(response.output_text).toBe('Hello')
    const completion = await chat.completions.create({
      model: here.agent,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello', refusal: null } as never] },
        { role: 'user', content: 'And?' },
      ],
      verbosity: 'high',
      reasoning_effort: 'xhigh',
    })
    expect(completion.choices[0]?.message.content).toBe('Hello')
    expect(here.provider.requests.map(({ body }) => body.reasoning_effort)).toEqual(['low', 'high'])
    const logprobs = { model: here.agent, input: 'Hi', include: ['message.output_text.logprobs' as const] }
    await expect(responses.create(logprobs)).rejects.toMatchObject({ status: 400, param: 'include[0]' })
  })
})
