import { expect, it } from 'vitest'
import { fixTime } from '../../server/test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { chooseByWords, stagedWorkspace, workspace } from './console.ts'

it('shows analytics for the selected period and agent', async () => {
  const { open, post } = await workspace()
  const ada = (await post('/agents', { name: 'Ada' })).body.data.id
  await post('/agents', { name: 'Grace' })
  const { id } = (await post('/conversations', { agent_id: ada, user_id: 'linus' })).body.data
  const message = (await post(`/conversations/${id}/messages`, { message: 'Hello' })).body.data.id
  await post(`/conversations/${id}/messages/${message}/feedback`, { rating: 'up' })
  const { page, problems } = await open('/analytics')
  await page.getByText('1 active, 0 completed').waitFor()
  await page.getByText('1 up, 0 down').waitFor()
  await page.getByRole('row', { name: 'Full reply' }).waitFor()
  const messages = page.getByRole('figure', { name: 'Messages' })
  await messages.locator('canvas').waitFor()
  await messages.getByRole('table').getByRole('cell', { name: '2' }).waitFor({ state: 'attached' })
  await page.getByLabel('Compare with previous period').check()
  await page.getByText('0 before').first().waitFor()
  await messages.getByText('Previous period').waitFor()
  await expectAccessible(page, 'Analytics', { within: 'main' })
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

it('shows the usage of dates that somebody chooses', async () => {
  const here = await stagedWorkspace({ deltas: ['Hi'], usage: { input: 30_000, output: 4000 } })
  await here.say(await here.talk(), 'Hello')
  const { page, problems } = await here.open('/usage')
  await page.getByRole('figure', { name: 'Tokens per day' }).waitFor()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByText('No usage in this period').waitFor()
  expect(page.url()).toContain('from=2020-01-01')
  await page.getByLabel('Period', { exact: true }).selectOption('7')
  await page.getByRole('figure', { name: 'Tokens per day' }).waitFor()
  expect(problems).toEqual([])
})

it('draws usage by model, tells what a day cost, and zooms in', async () => {
  const here = await stagedWorkspace({ deltas: ['Hi'], usage: { input: 30_000, output: 4000 } })
  const { created_at } = (await here.say(await here.talk(), 'Hello')).body.data
  const models = (await here.get('/models')).body.data as { id: string; name: string }[]
  const local = models.find(({ name }) => name === 'Local extractive')?.id
  const other = (await here.post('/agents', { name: 'B', model_id: local })).body.data.id
  const conversation = (await here.post('/conversations', { agent_id: other })).body.data.id
  await here.say(conversation, 'Hello')
  const { page, problems, goTo } = await here.open('/agents')
  await fixTime(page, created_at)
  await goTo('/usage')
  const tokens = page.getByRole('figure', { name: 'Tokens per day' })
  await tokens.getByRole('listitem').filter({ hasText: 'Scripted' }).waitFor()
  await tokens.getByRole('listitem').filter({ hasText: 'Local extractive' }).waitFor()
  /** Moves to a place on the chart, which may still move itself. */
  const moveTo = async (fraction: number) => {
    const { x, y, width } = (await tokens.locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + width * fraction, y + 40, { steps: 4 })
  }
  const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const tip = async () => {
    await moveTo(0.99)
    return (await tokens.locator('.chart-tip').allInnerTexts()).join()
  }
  await expect.poll(tip).toContain(day.format(new Date(created_at)))
  await expect.poll(tip).toContain('34K')
  const resetZoom = page.getByRole('button', { name: 'Reset zoom' })
  const zoom = async () => {
    await moveTo(0.5)
    await page.mouse.down()
    await moveTo(0.995)
    await page.mouse.up()
    return resetZoom.count()
  }
  await expect.poll(zoom).toBe(1)
  await resetZoom.click()
  await resetZoom.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /Scripted/ })
    .getByText('100%')
    .waitFor()
  const headings = page.getByRole('heading', { level: 2 })
  await expect.poll(async () => (await headings.allInnerTexts()).at(-1)).toBe('Budgets') // after the figures
  await expectAccessible(page, 'Usage', { within: 'main' })
  expect(problems).toEqual([])
})

it('creates, fills, edits and deletes a budget', async () => {
  const here = await stagedWorkspace({ deltas: ['Hi'], usage: { input: 20, output: 10 } })
  await here.say(await here.talk(), 'Hello')
  const { page, problems } = await here.open('/usage')
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
  await post('/webhooks', { url: 'https://a.example/hook', events: ['monitor.alert'] })
  const { page, problems } = await open('/settings')
  await page.getByRole('tab', { name: 'Audit' }).click()
  await page.getByRole('row', { name: /Created agent/ }).waitFor()
  await page.getByRole('cell', { name: 'description', exact: true }).waitFor()
  expect(await page.content()).not.toContain('A secret plan')
  await page.getByRole('link', { name: 'Ada' }).first().waitFor()
  // A webhook has no name, so that its kind is the link.
  await page
    .getByRole('row', { name: /Created webhook/ })
    .getByRole('link', { name: 'webhook', exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await chooseByWords(page, 'Action', 'Updat')
  await expect.poll(() => page.getByRole('row', { name: /Created agent/ }).count()).toBe(0)
  await chooseByWords(page, 'Type', 'experiment')
  await page.getByText('No results').waitFor()
  expect(problems).toEqual([])
})
