import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { knowledge } from '../../server/test/knowledge.ts'
import { expectAccessible } from './accessibility.ts'
import { workspace } from './console.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const keepEditing = async (page: Page) => {
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await question(page).waitFor({ state: 'detached' })
}

it('asks before leaving with unsaved changes, however one leaves', async () => {
  const { open, url, post } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  const { page, problems } = await open()
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('link', { name: 'Ada' }).click()
  const here = `${url}/agents/${id}`
  await page.getByLabel('Description').fill('Not saved')

  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await question(page).waitFor()
  await expectAccessible(page, 'leaving')
  await keepEditing(page)
  await expect.poll(() => page.url()).toBe(here)
  await page.goBack()
  await keepEditing(page)
  await expect.poll(() => page.url()).toBe(here)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Prompts')
  await page.keyboard.press('Enter')
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.url()).toBe(here)
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Not saved')

  // A message to the agent changes the URL but does not leave the page.
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByLabel('Message', { exact: true }).fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText(/\d+ tokens/).waitFor()
  await expect.poll(() => page.url()).toContain('conversation=')
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Not saved')

  await main.getByRole('link', { name: 'Models', exact: true }).click()
  await question(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor()
  expect(problems).toEqual([])
})

it('does not ask about changes that are saved, being saved, or deleted', async () => {
  const { open, post, get } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  const { page, problems } = await open(`/agents/${id}`)
  const main = page.getByRole('navigation', { name: 'Main' })
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

it('keeps input when switching tabs, and asks for templates too', async () => {
  const service = await workspace()
  const { open, post } = service
  const source = await knowledge(service).make({ name: 'Papers' })
  const template = (await post('/prompt-templates', { name: 'Hello', template: 'Hi' })).body.data.id
  const { page, problems } = await open(`/knowledge/${source}?tab=settings`)
  await page.getByLabel('Description').fill('Not saved')
  await page.getByRole('tab', { name: 'Documents' }).click()
  await page.getByText('No documents yet').waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Not saved')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByRole('link', { name: 'Hello' }).click()
  await page.getByLabel('Description').fill('Not saved')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await keepEditing(page)
  await expect.poll(() => page.url()).toContain(template)
  expect(problems).toEqual([])
})
