import { expect, it } from 'vitest'
import { activate, ask, contents, listed, said, talking } from '../../../test/branches.ts'

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
