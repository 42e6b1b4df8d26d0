import { expect, it } from 'vitest'
import { readEvents } from '../../../test/event-stream.ts'
import { type Json, until } from '../../../test/harness.ts'
import { type Stage, stage } from '../../../test/stage.ts'

type Here = Stage & { id: string }

/** A conversation with an agent that replies "re: " and the question. */
async function talking(): Promise<Here> {
  const here = await stage(({ body }) => ({ deltas: [`re: ${(body.messages as Json[]).at(-1).content}`] }))
  return { ...here, id: await here.talk() }
}

const listed = async ({ get, id }: Here): Promise<Json[]> => (await get(`/conversations/${id}/messages`)).body.data
const contents = (messages: Json[]): string[] => messages.map(({ content }) => content)
const said = async (here: Here): Promise<string[]> => contents(await listed(here))
const ask = async (here: Here, message: string, more: object = {}): Promise<Json> =>
  (await here.say(here.id, message, more)).body.data
const activate = ({ post, id }: Here, message: string) => post(`/conversations/${id}/messages/${message}/activate`)

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

it('switches between versions, and the model is told the branch that is active', async () => {
  const here = await talking()
  const { post, id, provider, told } = here
  const first = await ask(here, 'one')
  await ask(here, 'two')
  const before = await listed(here)
  // One that is not the last cannot be regenerated; a question beside it can be asked.
  expect((await post(`/conversations/${id}/messages/${first.id}/regenerate`)).status).toBe(400)
  const other = await ask(here, 'uno', { parent_message_id: null })
  expect(await said(here)).toEqual(['uno', 're: uno'])
  expect((await listed(here))[0].versions).toEqual([before[0].id, other.parent_message_id])

  const switched = await activate(here, before[0].id)
  expect([switched.status, contents(switched.body.data.messages)]).toEqual([200, contents(before)])
  expect(await said(here)).toEqual(['one', 're: one', 'two', 're: two'])
  await ask(here, 'three')
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', 'one', 're: one', 'two', 're: two', 'three'])

  await activate(here, other.id)
  await ask(here, 'dos')
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', 'uno', 're: uno', 'dos'])
  // The newest messages below the one that is named.
  expect(contents((await activate(here, first.id)).body.data.messages)).toHaveLength(6)
})

it('lists another branch without switching to it', async () => {
  const here = await talking()
  const first = await ask(here, 'one')
  await ask(here, 'two')
  await ask(here, 'uno', { parent_message_id: null })
  const through = (query: string) => here.get(`/conversations/${here.id}/messages?through=${query}`)
  const all = (await through(first.id)).body
  expect([contents(all.data), all.pagination.total]).toEqual([['one', 're: one', 'two', 're: two'], 4])
  expect(contents((await through(`${first.id}&limit=3&page=2`)).body.data)).toEqual(['re: two'])
  const earlier = (await through(`${first.id}&limit=2&before=${all.data[3].id}`)).body.data
  expect(contents(earlier)).toEqual(['re: one', 'two'])
  expect(contents((await through(`${first.id}&limit=2&page=2&before=${all.data[3].id}`)).body.data)).toEqual(['one'])
  expect((await through('msg_none')).status).toBe(404)
  expect(await said(here)).toEqual(['uno', 're: uno'])
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

it('counts the active branch as messages, and every branch as cost', async () => {
  const here = await talking()
  const { post, get, id, agent } = here
  const first = await ask(here, 'one')
  await ask(here, 'two')
  await ask(here, 'zwei', { parent_message_id: first.id })
  const { messages, tokens } = (await get(`/analytics/conversations?agent_id=${agent}`)).body.data
  expect(messages).toMatchObject({ total: 4, user: 2, assistant: 2 })
  const { usage } = first
  expect(tokens.input).toBeGreaterThan(usage.input_tokens * 2)
  const added = await post('/evaluations', {
    name: 'E',
    type: 'agent',
    target_id: agent,
    test_cases: [{ input: 'x' }],
  })
  const evaluation = added.body.data.id
  await activate(here, (await listed(here))[2].versions[0])
  const body = { conversation_id: id, message_id: first.parent_message_id }
  const made = (await post(`/evaluations/${evaluation}/test-cases/from-message`, body)).body.data
  expect(made).toMatchObject({ input: 'one', expected_output: 're: one' })
})
