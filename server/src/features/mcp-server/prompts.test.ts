import { describe, expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { connect, mcpStage } from '../../../test/mcp.ts'

const text = ({ messages }: Json): string[] => messages.map(({ content }: Json) => content.text)

describe.each(['legacy', undefined] as const)('the prompts of the MCP server (protocol: %s)', (version) => {
  it('are the prompt templates, with their variables as arguments', async () => {
    const { url, token, post, put } = await mcpStage()
    const client = await connect(url, token, version)
    expect((await client.listPrompts()).prompts).toEqual([])
    const { id } = (
      await post('/prompt-templates', {
        name: 'Friendly tutor',
        description: 'For lessons.',
        template: 'Teach {{subject}} to {{name}}. Never say {{name}}.',
      })
    ).body.data
    await post('/prompt-templates', { name: 'echo', template: 'Say it.', type: 'user' })
    expect((await client.listPrompts()).prompts).toEqual([
      { name: 'echo', title: 'echo' }, // although a tool has this name
      {
        name: 'Friendly_tutor',
        title: 'Friendly tutor',
        description: 'For lessons.',
        arguments: [
          { name: 'subject', required: true },
          { name: 'name', required: true },
        ],
      },
    ])
    const args = { subject: 'chess', name: '{{subject}}', extra: 'x' }
    const filled = await client.getPrompt({ name: 'Friendly_tutor', arguments: args })
    expect(filled).toMatchObject({
      description: 'For lessons.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Teach chess to {{subject}}. Never say {{subject}}.' } },
      ],
    })
    expect(text(await client.getPrompt({ name: 'echo' }))).toEqual(['Say it.'])
    const get = (name: string, values?: Record<string, string>) =>
      client.getPrompt({ name, ...(values && { arguments: values }) })
    await expect(get('Friendly_tutor', { subject: 'chess' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/missing for name/),
    })
    await expect(get('none')).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('"none"') })
    await expect(get(id)).rejects.toThrow('There is no prompt')

    await put(`/prompt-templates/${id}`, { name: 'Tutor' })
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('Tutor')
    expect(text(await get('Friendly_tutor', args))).toHaveLength(1) // clients keep names
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
  })
})

it('every prompt has a name of its own, in Latin letters', async () => {
  const { url, token, post } = await mcpStage()
  for (const name of ['Tutor', 'Tutor!', '日本語', 'x'.repeat(200)])
    expect((await post('/prompt-templates', { name, template: name })).status).toBe(201)
  const client = await connect(url, token)
  const { prompts } = await client.listPrompts()
  expect(new Set(prompts.map(({ name }) => name)).size).toBe(4)
  for (const { name, title } of prompts) {
    expect(name).toMatch(/^\w{1,64}$/)
    expect(text(await client.getPrompt({ name }))).toEqual([title])
  }
})

it('prompts are for roles that may read templates', async () => {
  const { url, post, tokenFor } = await mcpStage()
  await post('/prompt-templates', { name: 'Tutor', template: 'Teach.' })
  const viewer = await connect(url, await tokenFor('viewer'))
  expect(text(await viewer.getPrompt({ name: 'Tutor' }))).toEqual(['Teach.'])
  const ada = await connect(url, await tokenFor('user', { user_id: 'ada' }))
  expect((await ada.listPrompts()).prompts).toEqual([])
  await expect(ada.getPrompt({ name: 'Tutor' })).rejects.toThrow('There is no prompt "Tutor"')
})
