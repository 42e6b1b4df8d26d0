import { expect, it } from 'vitest'
import { evaluating } from '../../../test/evaluating.ts'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { answer, converse, versions } from '../../../test/versions.ts'

it('a new conversation gets the version labelled production, or the label that it asks for', async () => {
  const here = await versions()
  const { put, get, post, agent } = here
  const label = `/agents/${agent}/labels`
  const before = await converse(here)
  expect(await answer(here, before)).toEqual(['three', 3])
  const set = await put(`${label}/production`, { version: 1 })
  expect([set.status, set.body.data]).toEqual([
    200,
    { label: 'production', version: 1, previous_version: null, gate: null, updated_at: expect.any(String) },
  ])
  await put(`${label}/canary`, { version: 2 })
  const first = await converse(here)
  expect(await answer(here, first)).toEqual(['one', 1])
  const canary = await converse(here, { label: 'canary' })
  expect(await answer(here, canary)).toEqual(['two', 2])
  expect((await get(`/conversations/${canary}`)).body.data.label).toBe('canary')
  // A conversation without a label of its own follows the agent; one that has started keeps its version.
  expect(await answer(here, before)).toEqual(['one', 1])
  const moved = await put(`${label}/production`, { version: 3 })
  expect(moved.body.data).toMatchObject({ version: 3, previous_version: 1 })
  expect(await answer(here, first)).toEqual(['one', 1])
  expect(await answer(here, await converse(here))).toEqual(['three', 3])
  const regenerated = await post(
    `/conversations/${first}/messages/${(await here.say(first, 'Again')).body.data.id}/regenerate`,
  )
  expect(regenerated.body.data.agent_version).toBe(1)

  const unknown = await post('/conversations', { agent_id: agent, label: 'beta' })
  expect([unknown.status, unknown.body.code, unknown.body.details[0].path]).toEqual([400, 'unknown_reference', 'label'])
  expect(unknown.body.error).toContain('production, canary')
  const changed = await put(`/conversations/${canary}`, { label: 'production' })
  expect([changed.status, changed.body.details[0].path]).toEqual([400, 'label'])
  const same = await put(`/conversations/${canary}`, (await get(`/conversations/${canary}`)).body.data)
  expect(same.status).toBe(200)
})

it('labels are listed, audited and removed, and what is wrong is named', async () => {
  const here = await versions()
  const { put, get, remove, agent } = here
  const label = `/agents/${agent}/labels`
  await put(`${label}/production`, { version: 2 })
  await put(`${label}/canary`, { version: 3 })
  const { data, pagination } = (await get(label)).body
  expect([data.map((each: Json) => [each.label, each.version]), pagination.total]).toEqual([
    [
      ['canary', 3],
      ['production', 2],
    ],
    2,
  ])
  expect((await put(`${label}/canary`, data[0])).status).toBe(200)
  const audited = (await get(`/audit?resource_id=${agent}&action=label`)).body.data
  expect(audited.map((each: Json) => each.part_id)).toContain('production 2')
  expect(audited.flatMap((each: Json) => each.fields ?? [])).toEqual([])
  expect((await put(`${label}/canary`, { version: 9 })).body).toMatchObject({
    code: 'unknown_reference',
    details: [{ path: 'version' }],
  })
  for (const name of ['3', '_x', 'x'.repeat(64)])
    expect((await put(`${label}/${encodeURIComponent(name)}`, { version: 1 })).body, name).toMatchObject({
      details: [{ path: 'label' }],
    })
  expect((await remove(`${label}/canary`)).status).toBe(200)
  expect((await remove(`${label}/canary`)).status).toBe(404)
  expect((await put('/agents/agt_none/labels/x', { version: 1 })).status).toBe(404)
  const version = (await get(`/agents/${agent}`)).body.data.version
  expect(version).toBe(3)
})

it('a labelled version keeps what it uses from being deleted', async () => {
  const here = await stage({ deltas: ['Yes'] })
  const { post, put, remove, agent, model } = here
  const other = (await post('/agents', { name: 'Other', model_id: model })).body.data.id
  await put(`/agents/${agent}`, { tools: [other] })
  await put(`/agents/${agent}/labels/production`, { version: 2 })
  await put(`/agents/${agent}`, { tools: [] })
  const refused = await remove(`/agents/${other}`)
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
  expect(refused.body.details[0].message).toContain('labels.production.tools')
  await remove(`/agents/${agent}/labels/production`)
  expect((await remove(`/agents/${other}`)).status).toBe(200)
  expect((await put(`/agents/${agent}/labels/production`, { version: 2 })).body.code).toBe('unknown_reference')
})

it('a gate refuses versions whose last run of the evaluation has not passed', async () => {
  const here = await versions()
  const { put, get, remove, agent } = here
  const { create, ended } = evaluating(here)
  const evaluation = await create({
    target_id: agent,
    type: 'agent',
    scorers: [{ type: 'exact_match' }],
    test_cases: [{ input: 'Hello', expected_output: 'two' }],
  })
  const evaluate = async (target_version: number) => {
    const run = (await here.post(`/evaluations/${evaluation}/run?target_version=${target_version}`)).body.data
    expect(run.target_version).toBe(target_version)
    await ended(evaluation, run.id)
  }
  const label = `/agents/${agent}/labels/production`
  const gate = { evaluation_id: evaluation }
  const none = await put(label, { version: 2, gate })
  expect([none.status, none.body.code]).toEqual([409, 'gate_failed'])
  await evaluate(2)
  await evaluate(3)
  expect((await put(label, { version: 2, gate })).body.data).toMatchObject({ version: 2, gate })
  const failed = await put(label, { version: 3 })
  expect([failed.status, failed.body.code]).toEqual([409, 'gate_failed'])
  expect(failed.body.details[0]).toEqual({ path: 'gate.evaluation_id', message: evaluation })
  expect((await get(`/agents/${agent}/labels`)).body.data[0].version).toBe(2)
  expect((await remove(`/evaluations/${evaluation}`)).body.code).toBe('in_use')
  expect((await put(label, { version: 3, gate: null })).body.data).toMatchObject({ version: 3, gate: null })
  const audited = (await get(`/audit?resource_id=${agent}&action=label`)).body.data
  expect(audited.map((each: Json) => each.fields)).toEqual([['gate'], ['gate']])
  expect((await remove(`/evaluations/${evaluation}`)).status).toBe(200)
})

it('analytics compare versions and labels', async () => {
  const here = await versions()
  const { put, post, get, agent } = here
  const label = `/agents/${agent}/labels/production`
  const rate = async (version: number, rating: string) => {
    await put(label, { version })
    const conversation = await converse(here)
    const { id } = (await here.say(conversation, 'Hello')).body.data
    await post(`/conversations/${conversation}/messages/${id}/feedback`, { rating })
  }
  await rate(1, 'down')
  await rate(2, 'up')
  await put(`/agents/${agent}/labels/canary`, { version: 2 })
  const tried = (await post('/conversations', { agent_id: agent, user_id: 'ada', label: 'canary' })).body.data.id
  await here.say(tried, 'Hello')
  const { by_version, by_label, messages } = (await get(`/analytics/conversations?agent_id=${agent}`)).body.data
  expect(messages.total).toBe(6)
  expect(by_version.map((each: Json) => [each.version, each.replies, each.feedback.satisfaction_rate])).toEqual([
    [2, 2, 1],
    [1, 1, 0],
  ])
  expect(by_version[0].change).toMatchObject({ version: 1, satisfaction_rate: 1, error_rate: 0 })
  expect(by_version[1].change).toBeNull()
  expect(by_label).toMatchObject([
    { agent_id: agent, label: 'canary', replies: 1, change: { satisfaction_rate: null, error_rate: 0 } },
    { agent_id: agent, label: 'production', replies: 2, change: null },
  ])
  const ada = (await get(`/analytics/conversations?agent_id=${agent}&user_id=ada`)).body.data
  expect(ada.by_version).toEqual(by_version)
})
