import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import OpenAI, { type APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { createFile, png } from '../../../test/attachments.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../test/stage.ts'

const reply = {
  thoughts: ['Let me ', 'see.'],
  deltas: ['Hel', 'lo'],
  usage: { input: 20, output: 9, cachedInput: 5, reasoning: 4 },
} as Script
const createClient = ({ url, token }: Stage) =>
  new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token, maxRetries: 0 })
type Part = OpenAI.ChatCompletionContentPart

const image = `data:image/png;base64,${png().toString('base64')}`
const picture: Part = { type: 'image_url', image_url: { url: image, detail: 'low' } }
const document: Part = {
  type: 'file',
  file: {
    filename: 'tea.md',
    file_data: `data:text/markdown;base64,${Buffer.from('# Tea\n\nBrewed at 80 degrees.').toString('base64')}`,
  },
}
const text = (value: string): Part => ({ type: 'text', text: value })

async function seeing(): Promise<Stage> {
  const here = await stage(reply)
  await here.put(`/models/${here.model}`, { input_modalities: ['text', 'image'] })
  return here
}
const listFiles = async ({ ctx, agent }: Stage) => {
  const { workspace_id } = await ctx.db
    .selectFrom('agent')
    .select('workspace_id')
    .where('id', '=', agent)
    .executeTakeFirstOrThrow()
  const rows = await ctx.db.selectFrom('file').select('id').where('workspace_id', '=', workspace_id).execute()
  return rows.map(({ id }) => id)
}

describe('chat completions', () => {
  it('take images and files, and keep none of them', async () => {
    const here = await seeing()
    const ask = (...messages: OpenAI.ChatCompletionMessageParam[]) =>
      createClient(here).chat.completions.create({ model: here.agent, messages })
    const first = await ask({ role: 'user', content: [text('What is this?'), picture, document] })
    expect(first.choices[0]?.message.content).toBe('Hello')
    const sent = JSON.stringify(here.provider.requests[0]?.body)
    expect(sent).toContain(image)
    expect(sent).toContain('Brewed at 80 degrees.')

    const file_id = await createFile(here, 'cat.png', png(8, 8))
    await ask(
      { role: 'user', content: [picture] },
      { role: 'assistant', content: 'A square.' },
      { role: 'user', content: [text('And this?'), { type: 'file', file: { file_id } }] },
    )
    const messages = (here.provider.requests[1]?.body.messages ?? []) as { content: unknown }[]
    expect(messages[1]?.content).toEqual([{ type: 'image_url', image_url: { url: image } }])
    expect(JSON.stringify(messages[3])).toContain(png(8, 8).toString('base64'))
    expect(await listFiles(here)).toEqual([file_id])
  })

  it('refuse, by name, parts that they cannot use', async () => {
    const here = await seeing()
    const refused = async (role: 'user' | 'assistant', part: unknown, model = here.agent) => {
      const messages = [
        { role, content: [text('See'), part] },
        { role: 'user', content: 'Hm?' },
      ] as never
      const asked = createClient(here).chat.completions.create({ model, messages })
      const { status, param, message } = (await asked.catch((error) => error)) as APIError
      return [status, param, message] as const
    }
    const at = 'messages[0].content[1]'
    for (const [part, param, words] of [
      [{ type: 'image_url', image_url: { url: 'https://a.example/cat.png' } }, `${at}.image_url`, 'not fetched'],
      [{ type: 'file', file: { file_data: 'x' } }, `${at}.file.file_data`, 'data URL'],
      [{ type: 'file' }, `${at}.file`, 'required'],
      [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }, at, 'input_audio'],
    ] as const) {
      expect(await refused('user', part)).toEqual([400, param, expect.stringContaining(words)])
    }
    expect(await refused('assistant', picture)).toEqual([400, at, expect.stringContaining('only text')])
    await here.put(`/models/${here.model}`, { input_modalities: ['text'] })
    const blind = { model: here.agent, messages: [{ role: 'user' as const, content: [text('See'), picture] }] }
    await expect(createClient(here).chat.completions.create(blind)).rejects.toMatchObject({ code: 'unsupported_input' })
    expect(here.provider.requests).toHaveLength(0)
    expect(await listFiles(here)).toEqual([])
  })

  it('tell cached and reasoning tokens, and pass reasoning on', async () => {
    const here = await stage(reply)
    const asked = { model: here.agent, messages: [{ role: 'user' as const, content: 'Hi' }] }
    const { choices, usage } = await createClient(here).chat.completions.create(asked)
    const expected = {
      prompt_tokens: 20,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 29,
    }
    expect(usage).toEqual(expected)
    expect(choices[0]?.message).toMatchObject({ content: 'Hello', reasoning_content: 'Let me see.' })
    const stream = await createClient(here).chat.completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    })
    let last: unknown
    for await (const chunk of stream) last = chunk.usage ?? last
    expect(last).toEqual(expected)

    const parley = createOpenAICompatible({ name: 'parley', baseURL: `${here.url}/api/openai/v1`, apiKey: here.token })
    const model = parley(here.agent)
    expect((await generateText({ model, prompt: 'Hi' })).reasoningText).toBe('Let me see.')
    const streamed = streamText({ model, prompt: 'Hi' })
    expect([await streamed.reasoningText, await streamed.text]).toEqual(['Let me see.', 'Hello'])
  })

  it('name tools that they do not support by their type', async () => {
    const here = await stage(reply)
    const { chat, responses } = createClient(here)
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const custom = { type: 'custom' as const, custom: { name: 'shell' } }
    await expect(chat.completions.create({ model: here.agent, messages, tools: [custom] })).rejects.toMatchObject({
      status: 400,
      param: 'tools[0].type',
      message: expect.stringContaining('"custom"'),
    })
    const search = { type: 'web_search' as const }
    await expect(responses.create({ model: here.agent, input: 'Hi', tools: [search] })).rejects.toMatchObject({
      status: 400,
      param: 'tools[0].type',
      message: expect.stringContaining('"web_search"'),
    })
  })
})
