import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { asking, call, cautious } from '../../server/test/cautious-stage.ts'
import { scriptedProvider } from '../../server/test/scripted-provider.ts'
import { expectAccessible, lookRules } from './accessibility.ts'
import { stagedWorkspace, withOpen } from './console.ts'

const usage = { input: 1000, output: 500 }
const composer = (page: Page) => page.getByLabel('Message', { exact: true })

async function ask(page: Page, message: string): Promise<void> {
  await composer(page).fill(message)
  await page.keyboard.press('Enter')
}

it('tries the unsaved draft, and shows what is wrong with it at the field', async () => {
  const { open, agent, get, told, provider } = await stagedWorkspace({ deltas: ['Good', ' day.'], usage })
  const { page, problems } = await open(`/agents/${agent}`)
  await ask(page, 'Hello')
  await page.getByText('Good day.').waitFor()
  await page.getByLabel('System prompt').fill('Be terse.')
  await page.getByRole('button', { name: 'Ask again: Hello' }).click()
  const thread = page.getByRole('log', { name: 'Messages with the draft' })
  await thread.getByText('Good day.').waitFor()
  await thread.getByText('1,000 in, 500 out').waitFor()
  await thread.getByText('$0.002').waitFor()
  await expect
    .poll(() => thread.locator('.tried-figures dt').allInnerTexts())
    .toEqual(['Model', 'First token', 'Total time', 'Tokens', 'Cost'])
  await thread.getByRole('button', { name: 'Trace' }).click()
  await thread.getByRole('region', { name: 'Trace' }).getByText('scripted-1').waitFor()
  await ask(page, 'And now?')
  await thread.getByText('Good day.').nth(1).waitFor()
  expect(told(1)).toEqual(['Be terse.', 'Hello'])
  expect(told(2)).toEqual(['Be terse.', 'Hello', 'Good day.', 'And now?'])
  expect((await get('/conversations')).body.data).toHaveLength(1)
  expect((await get(`/agents/${agent}`)).body.data).toMatchObject({ version: 1, system_prompt: 'Be kind.' })
  await expectAccessible(page, 'draft', { within: 'main' })

  await page.getByLabel('Temperature').fill('7')
  await ask(page, 'Once more')
  await page.locator('.field.invalid', { hasText: 'Temperature' }).getByRole('alert').waitFor()
  await expect.poll(() => composer(page).inputValue()).toBe('Once more')
  await page.getByLabel('Temperature').fill('0.5')
  await expect.poll(() => page.locator('.field.invalid').count()).toBe(0)
  await page.keyboard.press('Control+s')
  await page.getByText('Saved as version 2').waitFor()
  await thread.getByText('And now?').waitFor() // what was tried stays in view
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByRole('log', { name: 'Messages', exact: true }).getByText('Hello').waitFor()
  expect(provider.requests).toHaveLength(3)
  expect(problems.filter((text) => !text.includes('status of 400'))).toEqual([])
})

it('keeps a message that is being written when saving turns the draft into the live version', async () => {
  const { open, agent } = await stagedWorkspace({ deltas: ['Good day.'], usage })
  const { page } = await open(`/agents/${agent}`)
  await page.getByLabel('System prompt').fill('Be terse.')
  await page.getByPlaceholder('Message the draft of').fill('Who are you?')
  await page.keyboard.press('Control+s')
  await page.getByRole('log', { name: 'Messages', exact: true }).waitFor()
  expect(await composer(page).inputValue()).toBe('Who are you?')
})

it('does not run a tool that needs approval while trying', async () => {
  const service = withOpen(await cautious())
  service.provider.next({ ...asking, toolCalls: [call('call_a', 'first')] }, { deltas: ['I could not.'] })
  const { page } = await service.open(`/agents/${service.agent}`)
  await page.getByRole('button', { name: 'Draft', exact: true }).click()
  await ask(page, 'Send it')
  await page.getByText('I could not.').waitFor()
  await page.getByText('Needs approval. Not run while trying.').waitFor()
  expect(service.calls).toEqual([])
})

it('compares the draft with another model and with a version, side by side', async () => {
  const { open, agent, post, put, provider } = await stagedWorkspace({ deltas: ['From the first.'], usage })
  const other = await scriptedProvider({ deltas: ['From the other.'], usage: { input: 2000, output: 100 } })
  const pricing = { input: 0.01, output: 0.01 }
  const model = { name: 'Other', provider: 'openai-compatible', model_id: 'other-1', endpoint: other.url, pricing }
  await post('/models', model)
  await put(`/agents/${agent}`, { system_prompt: 'Be precise.' })
  const { page, problems } = await open(`/agents/${agent}`)
  onTestFinished(() => other.close())
  await page.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare' })
  await dialog.getByLabel('Second', { exact: true }).last().selectOption({ label: 'Other' })
  const askBoth = async (message: string) => {
    await dialog.getByLabel('Message', { exact: true }).fill(message)
    await page.keyboard.press('Enter')
  }
  await askBoth('Which one?')
  const first = dialog.getByRole('region', { name: 'First' })
  const second = dialog.getByRole('region', { name: 'Second' })
  await first.getByText('From the first.').waitFor()
  await second.getByText('From the other.').waitFor()
  await first.getByText('$0.002').waitFor()
  await second.getByText('$0.021').waitFor()
  await second.getByText('2,000 in, 100 out').waitFor()
  for (const side of [first, second]) await side.getByText('Total time').waitFor()
  await expectAccessible(page, 'compare')
  const measureTop = async (side: typeof first) => (await side.boundingBox())?.y ?? 0
  await expect.poll(async () => (await measureTop(first)) - (await measureTop(second))).toBe(0)

  const versionOne = await second.locator('option', { hasText: 'Version 1,' }).getAttribute('value')
  await second.getByRole('combobox').selectOption(versionOne)
  await expect.poll(() => dialog.getByLabel('Message', { exact: true }).inputValue()).toBe('Which one?')
  await dialog.getByLabel('Message', { exact: true }).press('Enter')
  await first.getByText('From the first.').waitFor()
  await second.getByText('From the first.').waitFor()
  const prompts = () =>
    provider.requests.slice(-2).map(({ body }) => (body.messages as { content: string }[])[0]?.content)
  await expect.poll(() => prompts().sort()).toEqual(['Be kind.', 'Be precise.'])

  const endless = { deltas: Array(20).fill('word '), hold: new Promise(() => {}), after: 10 }
  provider.next(endless, endless)
  await askBoth('At length?')
  await second.getByText('word word').waitFor()
  await page.keyboard.press('Escape')
  await first.getByText('Reply stopped.').waitFor()
  await second.getByText('Reply stopped.').waitFor()

  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(async () => (await measureTop(second)) - (await measureTop(first))).toBeGreaterThan(0)
  await expectAccessible(page, 'compare on a phone', { rules: lookRules })
  expect(problems).toEqual([])
})
