import { expect, it } from 'vitest'
import type { Json, Start } from '../../../test/harness.ts'
import type { RecordedRequest } from '../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../test/stage.ts'
import type { Feature } from '../../kernel/feature.ts'

const prompt = ({ body }: RecordedRequest): string => (body.messages as { content: string }[])[0]?.content ?? ''

/** Scores of a feature that this service does not have: each conversation gets the same. */
const scored: Feature = {
  name: 'scored',
  scoreSources: [
    {
      count: async (_ctx, _workspace, _agent, scorer) => (scorer === 'politeness' ? 1 : 0),
      async values(ctx, workspace) {
        const rows = await ctx.db
          .selectFrom('conversation')
          .select('id')
          .where('workspace_id', '=', workspace)
          .execute()
        return new Map(rows.map(({ id }) => [id, 0.75]))
      },
    },
  ],
}

/** An agent with the versions 1 (production) and 2 (canary), and a draft of an experiment with both. */
async function draft(metric = 'feedback', more: object = {}, start?: Start): Promise<Stage & { experiment: string }> {
  const here = await stage((request) => ({ deltas: [prompt(request)] }), start, { system_prompt: 'one' })
  const { put, post, agent } = here
  await put(`/agents/${agent}`, { system_prompt: 'two' })
  await put(`/agents/${agent}/labels/production`, { version: 1 })
  await put(`/agents/${agent}/labels/canary`, { version: 2 })
  const variants = [
    { label: 'production', weight: 1 },
    { label: 'canary', weight: 1 },
  ]
  const created = await post('/experiments', { name: 'E', agent_id: agent, variants, metric, ...more })
  expect([created.status, created.body.data.status]).toEqual([201, 'draft'])
  return { ...here, experiment: created.body.data.id }
}

const converse = async ({ post, agent }: Stage, user_id: string | null, more: object = {}): Promise<Json> =>
  (await post('/conversations', { agent_id: agent, user_id, ...more })).body.data

it('people stay with their variant, and only conversations that name no label take part', async () => {
  const here = await draft()
  const { post, get, experiment } = here
  expect((await converse(here, 'u1')).label).toBe('production')
  expect((await post(`/experiments/${experiment}/start`)).body.data.status).toBe('running')
  const labels: string[] = []
  for (let user = 0; user < 20; user++) {
    const first = await converse(here, `u${user}`)
    expect((await converse(here, `u${user}`)).label).toBe(first.label)
    labels.push(first.label)
  }
  expect(new Set(labels)).toEqual(new Set(['production', 'canary']))
  const at = labels.indexOf('canary')
  const { id } = await converse(here, `u${at}`)
  expect((await here.say(id, 'Hello')).body.data).toMatchObject({ content: 'two', agent_version: 2 })
  await converse(here, 'u1', { label: 'canary' })
  const { variants, enough_data, conclusion, differences } = (await get(`/experiments/${experiment}/results`)).body.data
  expect(variants.map(({ conversations }: Json) => conversations).reduce((a: number, b: number) => a + b)).toBe(41)
  expect([enough_data, differences[0].significant]).toEqual([false, false])
  expect(conclusion).toMatch(/^Not enough data yet: production has values from 0 of 50 people/)
  expect((await post(`/experiments/${experiment}/stop`)).body.data.status).toBe('stopped')
  expect((await converse(here, `u${at}`)).label).toBe('production')
})

it('chooses for the person in the OpenAI-compatible API, too, and counts what is a conversation', async () => {
  const here = await draft()
  const { post, get, agent, experiment } = here
  await post(`/experiments/${experiment}/start`)
  const people = Array.from({ length: 8 }, (_, n) => `u${n}`)
  const versions: string[] = []
  for (const user of people) {
    const { label } = await converse(here, user)
    const version = label === 'canary' ? 'two' : 'one'
    versions.push(version)
    const chat = { model: agent, messages: [{ role: 'user', content: 'Hello' }] }
    const asked = { model: agent, input: 'Hello', store: false }
    for (const person of [{ user }, { safety_identifier: user }]) {
      const { body } = await post('/openai/v1/chat/completions', { ...chat, ...person })
      expect(body.choices[0].message.content).toBe(version)
      const unstored = (await post('/openai/v1/responses', { ...asked, ...person })).body
      expect(unstored.output[0].content[0].text).toBe(version)
    }
    const stored = (await post('/openai/v1/responses', { ...asked, user, store: true })).body
    expect(stored.output[0].content[0].text).toBe(version)
    // A token that is bound to a person gets their version, whatever the body says.
    const token = await here.tokenFor('user', { user_id: user })
    const other = people[versions.indexOf(version === 'one' ? 'two' : 'one')] ?? 'nobody'
    const own = await post('/openai/v1/chat/completions', { ...chat, user: other }, { token })
    expect(own.body.choices[0].message.content).toBe(version)
  }
  expect(new Set(versions)).toEqual(new Set(['one', 'two']))
  const alone = await post('/openai/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: 'Hi' }] })
  expect(alone.body.choices[0].message.content).toBe('one')
  const { variants } = (await get(`/experiments/${experiment}/results`)).body.data
  expect(variants.map(({ conversations }: Json) => conversations).reduce((a: number, b: number) => a + b)).toBe(16)
})

it('one experiment of an agent runs, and its settings stay as they were measured', async () => {
  const here = await draft()
  const { post, put, get, remove, agent, experiment } = here
  const path = `/experiments/${experiment}`
  const second = (await post('/experiments', { ...(await get(path)).body.data, name: 'Second' })).body.data.id
  expect((await post(`${path}/stop`)).status).toBe(400)
  await post(`${path}/start`)
  for (const id of [experiment, second]) {
    const refused = await post(`/experiments/${id}/start`)
    expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([
      409,
      'already_running',
      experiment,
    ])
  }
  const current = (await get(path)).body.data
  expect((await put(path, { ...current, name: 'Renamed' })).body.data.name).toBe('Renamed')
  const heavier = current.variants.map((variant: Json) => ({ ...variant, weight: 2 }))
  expect((await put(path, { variants: heavier })).body.details[0].path).toBe('variants')
  expect((await remove(`/agents/${agent}/labels/canary`)).body.code).toBe('in_use')
  expect((await put(`/agents/${agent}/labels/canary`, { version: 2, gate: null })).status).toBe(200)
  const moved = await put(`/agents/${agent}/labels/canary`, { version: 1 })
  expect([moved.status, moved.body.code, moved.body.details[0].path]).toEqual([409, 'in_use', experiment])
  expect((await remove(path)).status).toBe(200)
  expect((await post(`/experiments/${second}/start`)).status).toBe(200)
  expect((await remove(`/agents/${agent}`)).body.code).toBe('in_use')
})

it('keeps what its versions use from being deleted while it runs', async () => {
  const variants = [1, 2, 3].map((version) => ({ version, weight: 1 }))
  const here = await draft('latency', { variants: variants.slice(0, 2) })
  const { post, put, remove, agent, model } = here
  const other = (await post('/agents', { name: 'Other', model_id: model })).body.data.id
  await put(`/agents/${agent}`, { tools: [other] })
  await put(`/agents/${agent}`, { tools: [] })
  const fields = { name: 'Tools', agent_id: agent, metric: 'latency', variants: variants.slice(1) }
  const { id } = (await post('/experiments', fields)).body.data
  await post(`/experiments/${id}/start`)
  const refused = await remove(`/agents/${other}`)
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
  expect(refused.body.details[0].message).toContain('experiment.tools')
  await put(`/agents/${agent}`, { description: 'Changed meanwhile' })
  expect((await remove(`/agents/${other}`)).status).toBe(409)
  await post(`/experiments/${id}/stop`)
  expect((await remove(`/agents/${other}`)).status).toBe(200)
  expect((await post(`/experiments/${id}/start`)).body.code).toBe('unknown_reference')
})

it('a stopped experiment still means the versions that it measured', async () => {
  const { post, put, get, agent, experiment } = await draft()
  const path = `/experiments/${experiment}`
  await post(`${path}/start`)
  await post(`${path}/stop`)
  await put(`/agents/${agent}/labels/canary`, { version: 1 })
  expect((await get(`${path}/results`)).body.data.variants[1]).toMatchObject({ label: 'canary', version: 2 })
  expect((await post(`${path}/start`)).body.details[0].path).toBe('variants[1].label')
  expect((await post(`${path}/promote`, { variant: 'canary' })).status).toBe(200)
  const [, labelled] = (await get(`/agents/${agent}/labels`)).body.data
  expect(labelled).toMatchObject({ label: 'production', version: 2 })
})

it('what is wrong with an experiment is named', async () => {
  const { post, get, remove, agent, experiment } = await draft()
  const good = (await get(`/experiments/${experiment}`)).body.data
  const [one, two] = good.variants
  for (const [changes, code, at] of [
    [{ metric: 'helpfulness' }, 'invalid_request', 'metric'],
    [{ variants: [one] }, 'invalid_request', 'variants'],
    [{ variants: [one, { ...two, weight: 0 }] }, 'invalid_request', 'variants[1].weight'],
    [{ variants: [one, one] }, 'invalid_request', 'variants[1]'],
    [{ variants: [one, { weight: 1 }] }, 'invalid_request', 'variants[1]'],
    [{ variants: [one, { label: 'canary', version: 2, weight: 1 }] }, 'invalid_request', 'variants[1]'],
    [{ variants: [one, { label: 'beta', weight: 1 }] }, 'unknown_reference', 'variants[1].label'],
    [{ variants: [one, { version: 7, weight: 1 }] }, 'unknown_reference', 'variants[1].version'],
    [{ agent_id: 'agt_none' }, 'unknown_reference', 'agent_id'],
  ] as const) {
    const { status, body } = await post('/experiments', { ...good, ...changes })
    expect([status, body.code, body.details?.[0].path], JSON.stringify(changes)).toEqual([400, code, at])
  }
  const monitor = { name: 'M', agent_id: agent, scorers: [{ type: 'regex', config: { pattern: 'a' } }], sample_rate: 1 }
  const first = (await post('/monitors', monitor)).body.data
  const scored = await post('/experiments', { ...good, metric: 'regex' })
  expect(scored.status).toBe(201)
  const second = (await post('/monitors', monitor)).body.data
  const ambiguous = await post(`/experiments/${scored.body.data.id}/start`)
  expect([ambiguous.status, ambiguous.body.details[0].path]).toEqual([400, 'metric'])
  await remove(`/monitors/${second.id}`)
  expect((await post(`/experiments/${scored.body.data.id}/start`)).status).toBe(200)
  await remove(`/monitors/${first.id}`)
  const { conclusion } = (await get(`/experiments/${scored.body.data.id}/results`)).body.data
  expect(conclusion).toBe('No monitor of the agent has the scorer "regex" any more, so its scores are gone.')
})

it('finds the better variant and promotes it', async () => {
  const here = await draft()
  const { post, get, agent, experiment } = here
  await post(`/experiments/${experiment}/start`)
  const rate = async (user: number) => {
    const { id, label } = await converse(here, `u${user}`)
    const reply = (await here.say(id, 'Hello')).body.data
    const rating = label === 'canary' || user % 4 === 0 ? 'up' : 'down'
    await post(`/conversations/${id}/messages/${reply.id}/feedback`, { rating })
  }
  for (let start = 0; start < 160; start += 16)
    await Promise.all(Array.from({ length: 16 }, (_, offset) => rate(start + offset)))
  const { variants, differences, enough_data, conclusion } = (await get(`/experiments/${experiment}/results`)).body.data
  expect([enough_data, conclusion]).toEqual([true, 'canary is better than production.'])
  expect(variants[1]).toMatchObject({ label: 'canary', version: 2, mean: 1 })
  expect(variants[0].ci95[0]).toBeLessThan(variants[0].mean)
  expect(differences).toMatchObject([{ variant: 'canary', against: 'production', significant: true, better: true }])
  expect(differences[0].ci95[0]).toBeGreaterThan(0)
  expect(differences[0].p_value).toBeLessThan(0.05)

  expect((await post(`/experiments/${experiment}/promote`, { variant: 'beta' })).body.code).toBe('unknown_reference')
  const promoted = await post(`/experiments/${experiment}/promote`, { variant: 'canary' })
  expect(promoted.body.data.status).toBe('stopped')
  const labels = (await get(`/agents/${agent}/labels`)).body.data
  expect(labels).toMatchObject([
    { label: 'canary', version: 2 },
    { label: 'production', version: 2, previous_version: 1 },
  ])
})

it.each([
  ['completion', 0.5],
  ['latency', expect.any(Number)],
  ['cost', expect.any(Number)],
  ['politeness', 0.75],
])('measures %s of the variants, which may be versions', async (metric, mean) => {
  const variants = [
    { version: 1, weight: 1 },
    { version: 2, weight: 1 },
  ]
  const here = await draft(metric, { variants }, metric === 'politeness' ? { features: [scored] } : undefined)
  const { post, get, experiment } = here
  await post(`/experiments/${experiment}/start`)
  const ids: string[] = []
  for (let n = 0; n < 2; n++) {
    const { id } = await converse(here, 'ada')
    await here.say(id, 'Hello')
    ids.push(id)
  }
  await post(`/conversations/${ids[0]}/complete`)
  const { data } = (await get(`/experiments/${experiment}/results`)).body
  const chosen = data.variants.find(({ conversations }: Json) => conversations > 0)
  // Two conversations of one person are one value.
  expect(chosen).toMatchObject({ conversations: 2, people: 1, mean, label: null })
  const { version } = chosen
  expect((await post(`/experiments/${experiment}/promote`, { variant: version })).status).toBe(200)
  expect((await converse(here, 'eve')).label).toBe('production')
})
