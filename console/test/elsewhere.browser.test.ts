import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { stage } from '../../server/test/stage.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

const words = Array.from({ length: 60 }, (_, n) => `word${n} `)
const slowly = { deltas: words, delay: 60 }
const patiently = { timeout: 10_000 }
const focus = (page: Page) => page.evaluate(`dispatchEvent(new Event('focus'))`)
const sayings = (page: Page) => page.getByRole('log').locator('.message.user').allInnerTexts()

async function opened(script: Parameters<typeof stage>[0]) {
  const service = await stage(script)
  const conversation = await service.talk()
  const { page, problems } = await openConsole(service.url, service.token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${service.url}/conversations/${conversation}`)
  await page.getByText('Nothing was said yet').waitFor()
  return { ...service, conversation, page, problems }
}

it('what was said elsewhere appears when the window is looked at again, and so does its end', async () => {
  const { page, problems, conversation, say, post } = await opened({ deltas: ['Well.'] })
  await say(conversation, 'First')
  await focus(page)
  await page.getByText('Well.').waitFor()
  expect(await sayings(page)).toEqual(['First'])
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor()
  await post(`/conversations/${conversation}/complete`)
  await focus(page)
  await page.locator('.badge').getByText('completed').waitFor()
  expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('a message sent from a page that missed something shows what it missed', async () => {
  const { page, problems, conversation, say } = await opened({ deltas: ['Well.'] })
  await say(conversation, 'First')
  await page.getByLabel('Message', { exact: true }).fill('Second')
  await page.keyboard.press('Enter')
  await expect.poll(() => sayings(page), patiently).toEqual(['First', 'Second'])
  await expect.poll(() => page.getByRole('article', { name: 'Reply' }).getByText('Well.').count(), patiently).toBe(2)
  expect(problems).toEqual([])
})

it('a reply to somebody else is followed, and a message that it kept out is not lost', async () => {
  const { page, conversation, say, get } = await opened(slowly)
  const running = say(conversation, 'Tell me')
  await until(async () => (await get(`/conversations/${conversation}`)).body.data.messages.length === 2)
  await page.getByLabel('Message', { exact: true }).fill('My own')
  await page.keyboard.press('Enter')
  await page.getByText('Another message is being answered').waitFor()
  await page.getByText('word5').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  expect(await sayings(page)).toEqual(['Tell me'])
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('My own')
  await running
  await page.getByText('word59').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => sayings(page), patiently).toEqual(['Tell me', 'My own'])
  await page.getByRole('article', { name: 'Reply' }).getByText('word59').nth(1).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
