import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { startService } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { barriers, openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const stay = async (page: Page) => {
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await question(page).waitFor({ state: 'detached' })
}

it('whoever leaves over unsaved changes is asked, however they leave', async () => {
  const { url, token, post } = await startService()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  const { page, problems } = await openConsole(url, token)
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('link', { name: 'Ada' }).click()
  const here = `${url}/agents/${id}`
  await page.getByLabel('Description').fill('Not saved')

  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await question(page).waitFor()
  expect(await barriers(page, 'leaving')).toEqual([])
  await stay(page)
  expect(page.url()).toBe(here)
  await page.goBack()
  await stay(page)
  expect(page.url()).toBe(here)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Prompts')
  await page.keyboard.press('Enter')
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  expect(page.url()).toBe(here)
  expect(await page.getByLabel('Description').inputValue()).toBe('Not saved')

  // A word with the agent changes the address, but leaves nothing.
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText(/\d+ tokens/).waitFor()
  expect(page.url()).toContain('conversation=')
  expect(await page.getByLabel('Description').inputValue()).toBe('Not saved')

  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await question(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor()
  expect(problems).toEqual([])
})

it('nobody is asked about what is saved, is being saved, or is gone', async () => {
  const { url, token, post, get } = await startService()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  const { page, problems } = await openConsole(url, token)
  const main = page.getByRole('navigation', { name: 'Main' })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/agents/${id}`)
  await page.getByLabel('Description').fill('Saved')
  await page.getByRole('button', { name: 'Save' }).click()
  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor()
  expect((await get(`/agents/${id}`)).body.data.description).toBe('Saved')

  await page.goBack()
  await page.getByLabel('Description').fill('Whatever')
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click()
  await page.getByText('No agents yet').waitFor()
  expect(problems).toEqual([])
})

it('another tab of the same page keeps what was written, and templates are asked about too', async () => {
  const service = await startService()
  const { url, token, post } = service
  const source = await knowledge(service).make({ name: 'Papers' })
  const template = (await post('/prompt-templates', { name: 'Hello', template: 'Hi' })).body.data.id
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/knowledge/${source}?tab=settings`)
  await page.getByLabel('Description').fill('Not saved')
  await page.getByRole('tab', { name: 'Documents' }).click()
  await page.getByText('No documents yet').waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  expect(await page.getByLabel('Description').inputValue()).toBe('Not saved')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByRole('link', { name: 'Hello' }).click()
  await page.getByLabel('Description').fill('Not saved')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await stay(page)
  expect(page.url()).toContain(template)
  expect(problems).toEqual([])
})
