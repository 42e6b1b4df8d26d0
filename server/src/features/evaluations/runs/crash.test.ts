import { expect, it, onTestFinished } from 'vitest'
import { testKey } from '../../../../test/config.ts'
import { evaluating } from '../../../../test/evaluating.ts'
import { freshEnvironment, type Json, type Service, startOn, until } from '../../../../test/harness.ts'
import { startProcess } from '../../../../test/process.ts'
import { type Director, type RecordedRequest, scriptedProvider } from '../../../../test/scripted-provider.ts'

const token = 'the-owner-of-this-test'
const said = ({ body }: RecordedRequest): string => (body.messages as { content: string }[]).at(-1)?.content ?? ''
const isJudge = ({ body }: RecordedRequest): boolean => body.model === 'judge-1'

/** A process that can be killed, with an agent and a judge on a scripted provider. */
async function startKillable(director: Director) {
  const provider = await scriptedProvider(director)
  onTestFinished(() => provider.close())
  const environment = {
    ADMIN_TOKEN: token,
    SECRET_KEY: testKey,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    ...(await freshEnvironment()),
  }
  const { child, address, ended } = startProcess(environment)
  const url = await address
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const model = async (model_id: string) => {
    const fields = { name: model_id, provider: 'openai-compatible', model_id, endpoint: provider.url }
    return (await ask('POST', '/models', { ...fields, pricing: { input: 1, output: 1 } })).body.data.id as string
  }
  const answering = await model('answering-1')
  const judge = await model('judge-1')
  const agent = (await ask('POST', '/agents', { name: 'A', model_id: answering })).body.data.id as string
  return {
    provider,
    agent,
    model: answering,
    judge,
    ...evaluating({ post: (path, body) => ask('POST', path, body), get: (path) => ask('GET', path) } as Service),
    get: (path: string) => ask('GET', path),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    restart: () => startOn(environment),
  }
}

const billed = async ({ get }: Service, id: string): Promise<Json> =>
  (await get(`/usage/stats?entity_type=evaluation&entity_id=${id}`)).body.data

it('after kill -9 runs of an agent and of a model resume, and no finished case is run or billed twice', async () => {
  // Half of the cases of each run are answered before the process is killed.
  let isKilled = false
  const asked = { agent: 0, model: 0 }
  const before = await startKillable((request) => {
    const type = said(request).startsWith('agent') ? 'agent' : 'model'
    if (!isKilled && ++asked[type] > 20) return { fault: 'hang' }
    return { deltas: [said(request)], usage: { input: 10, output: 5 } }
  })
  const start = async (type: 'agent' | 'model') => {
    const test_cases = Array.from({ length: 40 }, (_, n) => ({
      input: `${type} ${n}`,
      expected_output: `${type} ${n}`,
    }))
    const scorers = [{ type: 'exact_match' }]
    const id = await before.create({ type, target_id: before[type], test_cases, scorers, concurrency: 4 })
    const requests = () => before.provider.requests.map(said).filter((text) => text.startsWith(type))
    return { id, runId: await before.run(id), requests }
  }
  const runs = await Promise.all([start('agent'), start('model')])
  const done = await Promise.all(
    runs.map(({ id, runId }) =>
      until(async () => {
        const { progress } = (await before.get(`/evaluations/${id}/runs/${runId}`)).body.data
        return progress.done >= 10 && progress.done
      }),
    ),
  )
  await before.kill()
  isKilled = true

  const service = await before.restart()
  const { ended, results } = evaluating(service)
  for (const [index, { id, runId, requests }] of runs.entries()) {
    expect(await ended(id, runId)).toMatchObject({ status: 'completed', progress: { done: 40, total: 40 } })
    const { summary } = await results(id)
    expect(summary).toMatchObject({ total: 40, passed: 40, verdict: 'passed', tokens: 600, cost: 0.6 })

    const times = new Map<string, number>()
    for (const text of requests()) times.set(text, (times.get(text) ?? 0) + 1)
    expect(times.size).toBe(40)
    const twice = [...times.values()].filter((count) => count > 1)
    expect(twice.length).toBeLessThanOrEqual(4) // only cases that were running when the process died
    expect(twice.every((count) => count === 2)).toBe(true)
    expect(done[index]).toBeGreaterThanOrEqual(10)
    expect(await billed(service, id)).toMatchObject({
      total_tokens: 600,
      total_cost: 0.6,
      by_entity: { evaluation: { [id]: { requests: 40 } } },
    })
  }
}, 300_000)

it('an answer that was billed but not scored before kill -9 is only scored', async () => {
  let judgeAnswers = false
  const before = await startKillable((request) => {
    if (!isJudge(request)) return { deltas: ['Paris'], usage: { input: 10, output: 5 } }
    return judgeAnswers ? { deltas: ['{"score": 1}'], usage: { input: 20, output: 5 } } : { fault: 'hang' }
  })
  const id = await before.create({
    type: 'agent',
    target_id: before.agent,
    test_cases: [{ input: 'One' }, { input: 'Two' }, { input: 'Three' }],
    scorers: [{ type: 'llm_judge', config: { rubric: 'Is it a city?', model_id: before.judge } }],
  })
  const runId = await before.run(id)
  await until(() => before.provider.requests.filter(isJudge).length === 3)
  await before.kill()
  judgeAnswers = true
  const service = await before.restart()
  const { ended, results } = evaluating(service)
  await ended(id, runId)
  expect((await results(id)).summary).toMatchObject({ passed: 3, tokens: 45, judge_tokens: 75, verdict: 'passed' })
  expect(before.provider.requests.filter((request) => !isJudge(request))).toHaveLength(3)
  expect((await billed(service, id)).by_model).toMatchObject({
    [before.model]: { requests: 3, tokens: 45 },
    [before.judge]: { requests: 3, tokens: 75 },
  })
}, 300_000)
