import { expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { stagedWorkspace, workspace } from './console.ts'

it('shows analytics for the selected period and agent', async () => {
  const { open, post } = await workspace()
  const ada = (await post('/agents', { name: 'Ada' })).body.data.id
  await post('/agents', { name: 'Grace' })
  const { id } = (await post('/conversations', { agent_id: ada, user_id: 'linus' })).body.data
  const message = (await post(`/conversations/${id}/messages`, { message: 'Hello' })).body.data.id
  await post(`/conversations/${id}/messages/${message}/feedback`, { rating: 'up' })
  const { page, problems } = await open()
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByText('1 active, 0 completed').waitFor()
  await page.getByText('1 up, 0 down').waitFor()
  await page.getByRole('row', { name: 'Full reply' }).waitFor()
  await page.getByLabel('Interval').selectOption('hour')
  await expect.poll(() => page.url()).toContain('interval=hour')
  await page.getByRole('button', { name: 'Ada' }).click()
  await expect.poll(() => page.url()).toContain(`agent=${ada}`)
  await page.getByRole('tab', { name: 'By topic' }).click()
  await page.getByText('Add topics to your agents').waitFor()
  await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Grace' })
  await page.getByText('No conversations in this period').waitFor()
  await page.getByLabel('Agent', { exact: true }).selectOption('')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByText('must not be after end_date').waitFor()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByText('No conversations in this period').waitFor()
  expect(problems.filter((each) => !each.includes('status of 400'))).toEqual([])
})

it('creates, fills, edits and deletes a budget', async () => {
  const here = await stagedWorkspace({ deltas: ['Hi'], usage: { input: 20, output: 10 } })
  await here.say(await here.talk(), 'Hello')
  const { page, problems } = await here.open()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('Set a budget to get notified').waitFor()
  await page.getByRole('button', { name: 'New budget' }).click()
  await page.getByLabel('Name').fill('Monthly')
  await page.getByLabel('Applies to').selectOption('agent')
  await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'A' })
  await page.getByLabel('Metric').selectOption('tokens')
  await page.getByLabel('Limit').fill('100')
  await page.getByRole('button', { name: 'Create budget' }).click()
  await page.getByText('30 tokens of 100 tokens this month').waitFor()
  await page.getByRole('button', { name: 'Edit Monthly' }).click()
  await page.getByLabel('Limit').fill('20')
  await page.getByLabel('When reached').selectOption('block')
  await page.getByRole('button', { name: 'Save budget' }).click()
  await page.getByText('30 tokens of 20 tokens this month').waitFor()
  await page.getByText('reached', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete Monthly' }).click()
  await page.getByRole('button', { name: 'Delete budget' }).click()
  await page.getByText('Set a budget to get notified').waitFor()
  expect(problems).toEqual([])
})

it('shows who changed what in the audit log', async () => {
  const { open, post, put } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  await put(`/agents/${id}`, { description: 'A secret plan' })
  const { page, problems } = await open()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Audit' }).click()
  await page.getByRole('row', { name: /create agent/ }).waitFor()
  await page.getByRole('cell', { name: 'description', exact: true }).waitFor()
  expect(await page.content()).not.toContain('A secret plan')
  await page.getByLabel('Action').selectOption('update')
  await expect.poll(() => page.getByRole('row', { name: /create agent/ }).count(), { timeout: 10_000 }).toBe(0)
  await page.getByLabel('Type').selectOption('webhook')
  await page.getByText('No results').waitFor()
  expect(problems).toEqual([])
})

it('a viewer reads evaluations, webhooks and usage, but not the audit log, and changes nothing', async () => {
  const here = await stagedWorkspace({ deltas: ['Hi'] })
  const { create, run, ended } = evaluating(here)
  const id = await create({
    type: 'agent',
    target_id: here.agent,
    test_cases: [{ input: 'Hi', expected_output: 'Hi' }],
  })
  await ended(id, await run(id))
  const hook = { url: 'https://example.com/hook', events: ['*'] }
  const webhook = (await here.post('/webhooks', hook)).body.data.id
  const budget = { name: 'Monthly', metric: 'cost', limit: 1, window: 'month', action: 'notify' }
  await here.post('/usage/thresholds', budget)
  const { page, problems } = await here.open('/', { token: await here.tokenFor('viewer') })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const places: [path: string, text: string, not: string[]][] = [
    ['/evaluations', 'Scorers', ['New evaluation']],
    [`/evaluations/${id}`, '1 passed, 0 failed', ['Run', 'Delete evaluation']],
    [`/evaluations/${id}?tab=cases`, 'Expected', ['Add case', 'Import', 'Edit case 1']],
    [`/evaluations/${id}?tab=setup`, 'Required pass rate', ['Add scorer', 'Save']],
    [`/webhooks/${webhook}`, 'https://example.com/hook', ['Send test event', 'Disable', 'Rotate secret']],
    ['/usage', 'Monthly', ['New budget', 'Edit Monthly']],
    ['/analytics', 'Response time', []],
  ]
  for (const [path, text, hidden] of places) {
    await page.goto(`${here.url}${path}`)
    await page.getByText(text).first().waitFor()
    for (const name of hidden)
      expect([path, name, await page.getByRole('button', { name }).count()]).toEqual([path, name, 0])
  }
  await page.goto(`${here.url}/settings`)
  await page.getByRole('tab', { name: 'Access tokens' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Audit' }).count()).toBe(0)
  expect(problems).toEqual([])
})
