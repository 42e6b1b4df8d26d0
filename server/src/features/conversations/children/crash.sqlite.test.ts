import { expect, it } from 'vitest'
import { asAfterCrash } from '../../../../test/after-crash.ts'
import { agentsStage, ask, mail } from '../../../../test/agents-stage.ts'
import { type Json, type Service, startOn, until } from '../../../../test/harness.ts'

const isOpen = ({ status }: Json) => status === 'running' || status === 'awaiting_approval'

/** Everything that is stored about the replies of a parent and its children. */
async function readAll({ get }: Pick<Service, 'get'>, conversation: string) {
  const read = async (id: string): Promise<Json[]> => (await get(`/conversations/${id}`)).body.data.messages
  const own = await read(conversation)
  const parent = own.find(({ role }) => role === 'assistant')
  const list = parent ? (await get(`/conversations?parent_message_id=${parent.id}`)).body.data : []
  const children = (await Promise.all(list.map(({ id }: Json) => read(id)))).flat()
  const replies = [...own, ...children].filter(({ role }) => role === 'assistant')
  return { parent, children: children.filter(({ role }) => role === 'assistant'), replies }
}

/** Copies the data folder after each commit that changes a reply, a conversation or an approval, as a crash would leave it. */
function atEachStep(here: Pick<Service, 'ctx' | 'environment'>) {
  const { db, commits } = here.ctx
  const crashes: Record<string, string>[] = []
  const known = new Set<string>()
  const crash = async () => {
    const state = await Promise.all([
      db.selectFrom('message').select(['id', 'status', 'usage', 'tool_calls']).orderBy('id').execute(),
      db.selectFrom('conversation').select(['id', 'running_message_id']).orderBy('id').execute(),
      db.selectFrom('approval').select(['id', 'status']).orderBy('id').execute(),
    ])
    if (known.size < known.add(JSON.stringify(state)).size) crashes.push(await asAfterCrash(here, transaction))
  }
  const { commit } = commits
  commits.commit = async (statements) => {
    await commit(statements)
    await crash()
  }
  const transaction = db.transaction.bind(db)
  db.transaction = () => {
    const builder = transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      const result = await execute(work)
      await crash()
      return result
    }
    return builder
  }
  const stop = () => {
    commits.commit = commit
    db.transaction = transaction
  }
  return { crashes, crash, stop }
}

it('a crash at any stored step of a parent with two children loses nothing, leaves nothing running and bills nothing twice', async () => {
  const here = await agentsStage({ own: true })
  const one = await here.agent('One', { tools: [await here.mailer()] })
  const two = await here.agent('Two')
  const top = await here.agent('Top', { tools: [one, two] })
  here.script('Top', { toolCalls: [ask('a', 'One'), ask('b', 'Two')] }, { deltas: ['The ', 'end'] })
  here.script('One', mail, { deltas: ['Mailed'] })
  let release = () => {}
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  here.script('Two', { deltas: ['Done'], hold, after: 0 })
  const conversation = await here.converse(top)

  const { crashes, crash, stop } = atEachStep(here)
  const sent = here.send(conversation)
  const approval = await until(async () => (await here.get('/approvals?status=pending')).body.data[0])
  await crash() // one child waits, the other one and the parent run
  release()
  expect((await sent).data.status).toBe('awaiting_approval')
  await crash()
  await here.post(`/approvals/${approval.id}`, { approved: true })
  await until(async () => (await readAll(here, conversation)).replies.every((reply) => !isOpen(reply)))
  await crash()
  stop()

  expect(crashes.length).toBeGreaterThan(10)
  const seen = new Set<string>()
  for (const environment of crashes) {
    const after = await startOn(environment)
    let { parent, children, replies } = await readAll(after, conversation)
    seen.add([parent?.status, ...children.map(({ status }) => status).sort()].join())
    expect(replies.filter(({ status }) => status === 'running')).toEqual([])
    expect(replies.filter((reply) => !isOpen(reply)).flatMap(({ tool_calls }) => tool_calls.filter(isOpen))).toEqual([])
    const waiting = replies.some(({ status }) => status === 'awaiting_approval')
    if (waiting) {
      expect(parent?.status).toBe('awaiting_approval')
      const [pending] = (await after.get('/approvals?status=pending')).body.data
      expect((await after.post(`/approvals/${pending.id}`, { approved: true })).status).toBe(200)
      await until(async () => (await readAll(after, conversation)).replies.every((reply) => !isOpen(reply)))
      ;({ parent, children, replies } = await readAll(after, conversation))
      expect([parent, ...children].map((reply) => reply?.status)).toEqual(['completed', 'completed', 'completed'])
    } else expect((await after.get('/approvals?status=pending')).body.data).toEqual([])
    const { agent: billed = {} } = (await after.get('/usage/stats')).body.data.by_entity as Json
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    expect(sum(Object.values<Json>(billed).map(({ tokens }) => tokens))).toBe(
      sum(replies.map(({ usage }) => usage?.total_tokens ?? 0)),
    )
    for (const [agent, calls] of [
      [top, 2],
      [one, 2],
      [two, 1],
    ] as const)
      expect(billed[agent]?.requests ?? 0).toBeLessThanOrEqual(calls)
    await after.app.close()
  }
  // Others may be stored in one commit.
  expect([...seen]).toContain('interrupted')
  expect([...seen]).toContain('interrupted,cancelled,interrupted')
  expect([...seen]).toContain('awaiting_approval,awaiting_approval,completed')
  expect([...seen]).toContain('completed,completed,completed')
})

it('a crash after a handoff bills each agent for its own calls, once', async () => {
  const here = await agentsStage({ own: true })
  const expert = await here.agent('Expert')
  const front = await here.agent('Front', { handoffs: [expert] })
  let release = () => {}
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  here.script('Front', { toolCalls: [{ id: 'x', name: 'transfer_to_Expert', arguments: '{"reason":"Ask it"}' }] })
  here.script('Expert', { deltas: ['Never', ' seen'], hold, after: 0 })
  const conversation = await here.converse(front)
  const sent = here.send(conversation)
  await until(() => here.listRequests('Expert').length === 1)
  const after = await startOn(await asAfterCrash(here))
  release()
  await sent
  const { agent_id, messages } = (await after.get(`/conversations/${conversation}`)).body.data
  const reply = messages.at(-1)
  expect([agent_id, reply.agent_id, reply.status]).toEqual([expert, expert, 'interrupted'])
  expect(reply.handoffs).toEqual([{ from_agent_id: front, to_agent_id: expert, reason: 'Ask it' }])
  const { agent: billed } = (await after.get('/usage/stats')).body.data.by_entity
  expect([billed[front].requests, billed[expert].requests]).toEqual([1, 1])
  expect(billed[front].tokens + billed[expert].tokens).toBe(reply.usage.total_tokens)
})
