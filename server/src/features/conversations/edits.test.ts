import { expect, it } from 'vitest'
import { activate, ask, listed, said, talking } from '../../../test/branches.ts'
import { readEvents } from '../../../test/event-stream.ts'
import { until } from '../../../test/harness.ts'

it('shows for each message its parent and its versions', async () => {
  const here = await talking()
  const reply = await ask(here, 'one')
  const next = await ask(here, 'two')
  const messages = await listed(here)
  expect(messages.map(({ parent_message_id }) => parent_message_id)).toEqual([
    null,
    messages[0].id,
    reply.id,
    messages[2].id,
  ])
  expect(messages.map(({ versions }) => versions)).toEqual(messages.map(({ id }) => [id]))
  expect(messages[3]).toEqual(next)
})

it('keeps the reply that is regenerated as an earlier version', async () => {
  const here = await talking()
  const { post, get, id, provider } = here
  const first = await ask(here, 'one')
  provider.next({ deltas: ['better'] }, { deltas: ['best'] })
  const second = (await post(`/conversations/${id}/messages/${first.id}/regenerate`)).body.data
  expect(second).toMatchObject({ parent_message_id: first.parent_message_id, versions: [first.id, second.id] })
  const response = await fetch(`${here.url}/api/conversations/${id}/messages/${second.id}/regenerate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
    body: '{"stream":true}',
  })
  const third = (await readEvents(response)).at(-1)?.data.message
  const versions = [first.id, second.id, third.id]
  expect(third.versions).toEqual(versions)
  expect((await listed(here)).at(-1)).toEqual(third)
  expect((await get(`/conversations/${id}`)).body.data.messages.at(-1)).toEqual(third)
  expect((await get(`/conversations/${id}/messages/${first.id}`)).body.data).toEqual({ ...first, versions })
  const exported = (await get('/conversations/export')).body.trim().split('\n')
  expect(JSON.parse(exported.at(-1) ?? '').messages.at(-1)).toEqual(third)
})

it('resends an edited message beside the old one, on any branch', async () => {
  const here = await talking()
  const { provider, told } = here
  const first = await ask(here, 'one')
  await ask(here, 'two')
  await ask(here, 'three')
  const edited = await ask(here, 'zwei', { parent_message_id: first.id })
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', 'one', 're: one', 'zwei'])
  expect(await said(here)).toEqual(['one', 're: one', 'zwei', 're: zwei'])
  expect((await listed(here))[2].versions).toHaveLength(2)
  await ask(here, 'next')
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', 'one', 're: one', 'zwei', 're: zwei', 'next'])
  // The parent may be on a branch that is not active.
  await ask(here, 'uno', { parent_message_id: null })
  await ask(here, 'drei', { parent_message_id: edited.id })
  expect(await said(here)).toEqual(['one', 're: one', 'zwei', 're: zwei', 'drei', 're: drei'])
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', 'one', 're: one', 'zwei', 're: zwei', 'drei'])
  // The last reply is the parent of what comes next anyway.
  const [last] = (await listed(here)).slice(-1)
  await ask(here, 'vier', { parent_message_id: last.id })
  expect((await listed(here)).at(-2)).toMatchObject({ content: 'vier', parent_message_id: last.id })
})

it('refuses a parent that is none, and a switch while a reply is being written', async () => {
  const here = await talking()
  const { id, say, post, get, provider } = here
  const reply = await ask(here, 'one')
  const question = reply.parent_message_id
  const onQuestion = await say(id, 'x', { parent_message_id: question })
  expect([onQuestion.status, onQuestion.body.code]).toEqual([400, 'invalid_request'])
  const unknown = await say(id, 'x', { parent_message_id: 'msg_none' })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_reference'])
  const elsewhere = { ...here, id: await here.talk() }
  const foreign = await say(id, 'x', { parent_message_id: (await ask(elsewhere, 'there')).id })
  expect([foreign.status, foreign.body.code]).toEqual([400, 'unknown_reference'])
  expect((await activate(here, 'msg_none')).status).toBe(404)
  const ada = (await post('/tokens', { name: 'ada', role: 'user', user_id: 'bob' })).body.data.token
  const foreignSwitch = await post(`/conversations/${id}/messages/${reply.id}/activate`, undefined, { token: ada })
  expect(foreignSwitch.status).toBe(404)

  provider.next({ deltas: ['Some ', 'words'], fault: 'stall' })
  const running = say(id, 'Talk')
  const [last] = await until(async () => {
    const all = await listed(here)
    return all.length === 4 && all.slice(-1)
  })
  for (const busy of [await activate(here, question), await say(id, 'x', { parent_message_id: reply.id })])
    expect([busy.status, busy.body.code]).toEqual([409, 'conversation_busy'])
  await post(`/conversations/${id}/messages/${last.id}/cancel`)
  await running
  expect((await get(`/conversations/${id}`)).body.data.messages).toHaveLength(4)
})
