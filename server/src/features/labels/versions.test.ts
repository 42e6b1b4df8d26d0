import { expect, it } from 'vitest'
import { stage } from '../../../test/stage.ts'
import { answer, converse, prompt, versions } from '../../../test/versions.ts'

it('chat completions and responses use the version labelled production, and a trial the newest', async () => {
  const here = await versions()
  const { put, post, agent } = here
  await put(`/agents/${agent}/labels/production`, { version: 2 })
  const chat = await post('/openai/v1/chat/completions', {
    model: agent,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect(chat.body.choices[0].message.content).toBe('two')
  const response = await post('/openai/v1/responses', { model: agent, input: 'Hello' })
  expect(response.body.output[0].content[0].text).toBe('two')
  const tried = await post(`/agents/${agent}/try`, { messages: [{ role: 'user', content: 'Hello' }] })
  expect(tried.body.data.content).toBe('three')
})

it('agents use the version of a template that is labelled production', async () => {
  const here = await stage((request) => ({ deltas: [prompt(request)] }))
  const { post, put, remove, agent } = here
  const template = (await post('/prompt-templates', { name: 'T', template: 'first' })).body.data.id
  await put(`/agents/${agent}`, { system_prompt: null, prompt_template_id: template })
  await put(`/prompt-templates/${template}/labels/production`, { version: 1 })
  // A variable of a version that nobody uses yet needs no value.
  expect((await put(`/prompt-templates/${template}`, { template: 'second {{name}}' })).status).toBe(200)
  expect((await answer(here, await converse(here)))[0]).toBe('first')
  const missing = await put(`/prompt-templates/${template}/labels/production`, { version: 2 })
  expect([missing.status, missing.body.code]).toEqual([409, 'in_use'])
  expect((await remove(`/prompt-templates/${template}/labels/production`)).body.code).toBe('in_use')
  await put(`/agents/${agent}`, { prompt_variables: { name: 'Ada' } })
  const moved = await put(`/prompt-templates/${template}/labels/production`, { version: 2 })
  expect(moved.body.data).toMatchObject({ version: 2, previous_version: 1 })
  expect((await answer(here, await converse(here)))[0]).toBe('second Ada')
})

it('a conversation keeps its version across a handoff and back, and the other agent has its own', async () => {
  const here = await stage((request) => {
    const said = (request.body.messages as { content: unknown }[]).at(-1)?.content
    const tools = (request.body.tools ?? []) as { function: { name: string } }[]
    const [transfer] = tools.filter(({ function: { name } }) => name.startsWith('transfer_to'))
    if (!String(JSON.stringify(said)).includes('Pass it on') || !transfer) return { deltas: [prompt(request)] }
    return { toolCalls: [{ id: 'call_a', name: transfer.function.name, arguments: '{"reason":""}' }] }
  })
  const { post, put, agent, model, provider } = here
  const second = { name: 'Second', model_id: model, system_prompt: 'other', handoffs: [agent] }
  const other = (await post('/agents', second)).body.data.id
  await put(`/agents/${agent}`, { system_prompt: 'first', handoffs: [other] })
  await put(`/agents/${agent}/labels/production`, { version: 2 })
  const conversation = await converse(here)
  await put(`/agents/${agent}`, { system_prompt: 'changed' })
  await put(`/agents/${agent}/labels/production`, { version: 3 })
  const handed = (await here.say(conversation, 'Pass it on')).body.data
  // Both agents pass it on until the limit of one reply, so that each has answered several times.
  expect(handed).toMatchObject({ agent_id: other, agent_version: 1 })
  expect(new Set(provider.requests.map(prompt))).toEqual(new Set(['first', 'other']))
  expect(provider.requests.filter((request) => prompt(request) === 'first').length).toBeGreaterThan(1)
  expect(await answer(here, conversation)).toEqual(['other', 1])
  // So does a response that is not stored.
  const started = await converse(here)
  await put(`/agents/${agent}/labels/production`, { version: 2 })
  const { id } = (await here.say(started, 'Hello')).body.data
  const asked = { model: agent, input: 'Pass it on', store: false, previous_response_id: id.replace('msg_', 'resp_') }
  const before = provider.requests.length
  expect((await post('/openai/v1/responses', asked)).status).toBe(200)
  expect(new Set(provider.requests.slice(before).map(prompt))).toEqual(new Set(['changed', 'other']))
})
