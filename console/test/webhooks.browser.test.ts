import { beforeAll, expect, it } from 'vitest'
import { startService, until } from '../../server/test/harness.ts'
import { startReceiver, verify } from '../../server/test/receiver.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { openConsole, withConsole } from './open.ts'

/** The page asks again every few seconds only. */
const patiently = { timeout: 15_000 }

beforeAll(async () => void (await withConsole()), 60_000)

it('a webhook is made, shows its secret once, is tested, changed, and sends again what did not arrive', async () => {
  const receiver = await startReceiver((nth) => (nth === 2 ? 500 : 200))
  const { url, token } = await startService(mayCallLoopback)
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('Description').fill('To the CRM')
  await page.getByLabel('Everything').uncheck()
  await page.getByLabel(/A conversation was completed/).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = ((await page.getByLabel('Signing secret', { exact: true }).textContent()) ?? '').trim()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'To the CRM' }).waitFor()
  expect(await page.content()).not.toContain(secret)

  await page.getByText('Nothing was sent yet').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test arrived').waitFor()
  const [test] = receiver.received
  if (!test) throw new Error('Nothing arrived.')
  expect(verify(secret, test)).toMatchObject({ type: 'webhook.test' })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test did not arrive').waitFor()
  await expect.poll(() => page.locator('.result').count(), patiently).toBe(2)
  const newest = page.locator('.result').first()
  await newest.locator('summary').click()
  await newest.getByLabel('Body', { exact: true }).getByText('"type": "webhook.test"').waitFor()
  await newest.getByLabel('Answer', { exact: true }).getByText('answer 2').waitFor()
  await newest.getByRole('button', { name: 'Send again' }).click()
  await until(async () => receiver.received.length === 3)
  expect(receiver.received[2]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id'])
  await expect.poll(() => page.locator('.result').getByText('delivered', { exact: true }).count(), patiently).toBe(2)

  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByLabel('Signing secret', { exact: true }).waitFor()
  expect(await page.getByLabel('Signing secret', { exact: true }).textContent()).not.toContain(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Nothing is sent any more').waitFor()
  await page.getByRole('button', { name: 'Change webhook' }).click()
  await page.getByLabel('Description').fill('To nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'To nobody' }).waitFor()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
  expect(problems).toEqual([])
})
