import { expect, it } from 'vitest'
import { evaluating } from '../../../server/test/evaluating.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { stagedWorkspace, workspace } from '../console.ts'
import { checkPages, expectFitting, longUrl, longWord } from './check.ts'

it('pages of evaluations, experiments, webhooks and settings are accessible and fit, with long names', async () => {
  const here = await stagedWorkspace({ deltas: ['Yes'] }, { name: longWord, description: longWord })
  const { create: createEvaluation, run, ended } = evaluating(here)
  const target = { type: 'agent', target_id: here.agent }
  const evaluation = await createEvaluation({
    ...target,
    name: longWord,
    description: longWord,
    test_cases: [{ input: 'Is it so?', expected_output: 'Yes' }, { input: longWord }],
    scorers: [{ type: 'similarity' }, { type: 'contains', config: { values: ['Yes'] } }],
  })
  const first = await run(evaluation)
  await ended(evaluation, first)
  await ended(evaluation, await run(evaluation))
  const cases = { test_cases: [{ input: longWord }], scorers: [{ type: 'similarity' }] }
  const notRun = await createEvaluation({ ...target, ...cases, name: 'Not run' })
  await here.put(`/agents/${here.agent}/labels/${'x'.repeat(63)}`, { version: 1 })
  await here.put(`/agents/${here.agent}`, { max_steps: 3 })
  const variants = [
    { label: 'x'.repeat(63), weight: 9 },
    { version: 2, weight: 1 },
  ]
  const experiment = { name: longWord, agent_id: here.agent, variants, metric: 'latency' }
  const { id: experimentId } = (await here.post('/experiments', experiment)).body.data
  await here.post(`/experiments/${experimentId}/start`)
  const person = {
    name: 'Maximiliane',
    role: 'user',
    user_id: `maximiliane.${'von-und-zu-'.repeat(4)}hohenlohe@example.com`,
  }
  await here.post('/tokens', { ...person, groups: ['engineering', 'management'] })
  const receiver = await startReceiver()
  const createWebhook = async (url: string) =>
    (await here.post('/webhooks', { url, events: ['*'], description: longWord })).body.data.id
  const webhook = await createWebhook(receiver.url)
  await here.post(`/webhooks/${webhook}/test`)
  const idleWebhook = await createWebhook(longUrl)
  await checkPages(here, [
    ['/evaluations', 'Search evaluations'],
    ['/evaluations?new=yes', 'First question'],
    [`/evaluations/${notRun}`, 'No runs yet'],
    [`/evaluations/${evaluation}?compare=${first}`, 'Comparison'],
    [`/evaluations/${evaluation}?tab=cases`, 'Add case'],
    [`/evaluations/${evaluation}?tab=cases&import=yes`, 'Or paste cases'],
    [`/evaluations/${evaluation}?tab=setup`, 'Required pass rate'],
    ['/experiments', 'Search experiments'],
    ['/experiments?new=yes', 'Compared with'],
    [`/experiments/${experimentId}`, 'Look as often as you like'],
    ['/webhooks', 'Notify your own services'],
    ['/webhooks?new=yes', 'Create webhook'],
    [`/webhooks/${webhook}`, 'webhook.test'],
    [`/webhooks/${idleWebhook}`, 'No deliveries yet'],
    ['/settings', 'management'],
    ['/settings?tab=workspaces', 'Workspaces are isolated'],
    ['/settings?tab=audit', 'Who changed what'],
    ['/nowhere', 'Page not found'],
  ])
})

it('the sign-in page is accessible and fits', async () => {
  const { open } = await workspace()
  const { page, problems } = await open('/', { token: null })
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  await expectFitting(page, 'sign-in')
  expect(problems).toEqual([])
})
