import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { stagedWorkspace } from './console.ts'

const ids = /\b[a-z]{3}_[0-9a-z]{26}\b/
const field = (page: Page) => page.getByLabel('Message', { exact: true })

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await page.keyboard.press('Enter')
}

/** A workspace with a budget that allows one reply. */
async function nearItsBudget() {
  const here = await stagedWorkspace({ deltas: ['Well.'], usage: { input: 1000, output: 500 } }, { max_tokens: 500 })
  const budget = { name: 'Tight', metric: 'tokens', limit: 1600, window: 'month', action: 'block' }
  await here.post('/usage/thresholds', budget)
  return here
}

it('a budget that is reached leads to itself', async () => {
  const here = await nearItsBudget()
  await here.post('/usage/thresholds', { name: 'Other', metric: 'cost', limit: 9, window: 'day', action: 'notify' })
  const { page, problems } = await here.open(`/agents/${here.agent}`)
  await say(page, 'First')
  await page.getByText('Well.').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await say(page, 'Second')
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'Budget reached' }).waitFor()
  await alert.getByText('The budget “Tight” has too little left for this call.').waitFor()
  expect(await page.locator('body').textContent()).not.toMatch(ids)
  await expect.poll(() => field(page).inputValue()).toBe('Second')
  await expectAccessible(page, 'budget', { within: 'main' })
  await alert.getByRole('link', { name: 'Raise this budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit budget' })
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Tight')
  await dialog.getByLabel('Limit').fill('99999')
  await dialog.getByRole('button', { name: 'Save budget' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await say(page, 'Second')
  await page.getByText('Well.').nth(1).waitFor()
  expect(problems.filter((text) => !text.includes('status of 403'))).toEqual([])
})

it('a model without a price is announced, and its error leads to its price', async () => {
  const here = await stagedWorkspace({ deltas: ['Well.'] })
  await here.put(`/models/${here.model}`, { pricing: null })
  const earlier = await here.talk()
  await here.say(earlier, 'Hi')
  await here.post('/usage/thresholds', { name: 'Tight', metric: 'cost', limit: 9, window: 'day', action: 'block' })
  const { page, problems, goTo } = await here.open('/usage')
  await page.getByText('refuses calls of models that have no price: "Scripted"').waitFor()
  await page.goto(page.url().replace('/usage', `/agents/${here.agent}`))
  const warning = page.getByText('This agent uses models that have no price ("Scripted")')
  await warning.waitFor()
  await say(page, 'First')
  const alert = page.getByRole('alert')
  await alert.getByText('“scripted-1” has no price, so the budget “Tight” cannot limit this call.').waitFor()
  expect(await page.locator('body').textContent()).not.toMatch(ids)
  await alert.getByRole('link', { name: 'Set its price' }).click()
  await page.getByText('not known', { exact: true }).filter({ visible: true }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Edit Scripted' })
  await dialog.getByLabel('Input price per 1M tokens').and(page.locator(':focus')).waitFor()
  await dialog.getByLabel('Input price per 1M tokens').fill('0')
  await dialog.getByLabel('Output price per 1M tokens').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await say(page, 'First')
  await page.getByText('Well.').waitFor()
  // The price is that of later calls only.
  await goTo(`/conversations/${earlier}`)
  await page.getByRole('link', { name: 'cost not known' }).waitFor()
  await page.getByRole('button', { name: 'Trace' }).click()
  await page.getByRole('cell', { name: 'not known' }).waitFor()
  expect(problems.filter((text) => !text.includes('status of 403'))).toEqual([])
})

it('a message that could not be edited keeps what was written', async () => {
  const here = await nearItsBudget()
  const token = await here.tokenFor('user', { user_id: 'ada' })
  const { page } = await here.open('/chat', { token })
  await say(page, 'First')
  await page.getByText('Well.').waitFor()
  await page.getByRole('button', { name: 'Edit message' }).click()
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.fill('First, but better')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Ask an administrator to raise it.').waitFor()
  await expect.poll(() => edit.inputValue()).toBe('First, but better')
  await page.getByText('Well.').waitFor()
  expect(await page.locator('body').textContent()).not.toMatch(ids)
  await page.keyboard.press('Escape')
  await page.locator('.bubble').getByText('First', { exact: true }).waitFor()
})

it('a wrong key and a page that is gone are said in words', async () => {
  const { open, agent, provider } = await stagedWorkspace({ deltas: ['Well.'] })
  provider.next({ status: 401, body: { error: { message: 'Incorrect API key provided' } } })
  const { page, goTo } = await open(`/agents/${agent}`)
  await say(page, 'Hello')
  await page.getByText('Reply failed. The provider refused the API key of the model.').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Check the model' }).getAttribute('href')).toBe('/models')
  await goTo('/agents/agt_01k9z8q4m6e3v7t2w5x8y1a4bc')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  expect(await page.locator('main').textContent()).not.toMatch(ids)
})

it('says how many seconds a page waits for the rate limit, and then shows it', async () => {
  const { open, agent } = await stagedWorkspace()
  const { page, goTo } = await open()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  let refusals = 1
  await page.route(`**/api/agents/${agent}`, (route) =>
    refusals-- > 0
      ? route.fulfill({
          status: 429,
          headers: { 'retry-after': '3' },
          json: { success: false, error: 'Too many requests.', code: 'rate_limited', request_id: 'req_1' },
        })
      : route.continue(),
  )
  await goTo(`/agents/${agent}`)
  const waits = page.getByRole('status').filter({ hasText: 'Too many requests.' })
  await waits.getByText(/This page goes on in [1-4] s\./).waitFor()
  await expectAccessible(page, 'rate limit', { within: '[role=status]' })
  await page.getByRole('heading', { name: 'Instructions' }).waitFor()
  await waits.waitFor({ state: 'detached' })
})
