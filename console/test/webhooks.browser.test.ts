import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { startReceiver, verify } from '../../server/test/receiver.ts'
import { workspace } from './console.ts'

/** The page polls every few seconds. */
const patient = { timeout: 15_000 }

it('creates a webhook, shows its secret once, tests, redelivers, edits and deletes it', async () => {
  const receiver = await startReceiver((nth) => (nth === 2 ? 500 : 200))
  const { open } = await workspace()
  const { page, problems } = await open()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByLabel('Description').fill('To the CRM')
  await page.getByLabel('All events').uncheck()
  await page.getByLabel(/Conversation completed/).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = ((await page.getByRole('region', { name: 'Signing secret' }).textContent()) ?? '').trim()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'To the CRM' }).waitFor()
  expect(await page.content()).not.toContain(secret)

  await page.getByText('No deliveries yet').waitFor()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('Test delivered').waitFor()
  const [test] = receiver.received
  if (!test) throw new Error('Nothing arrived.')
  expect(verify(secret, test)).toMatchObject({ type: 'webhook.test' })
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByText('Test failed').waitFor()
  await expect.poll(() => page.locator('.result').count(), patient).toBe(2)
  const newest = page.locator('.result').first()
  await newest.locator('summary').click()
  await newest.getByLabel('Request body', { exact: true }).getByText('"type": "webhook.test"').waitFor()
  await newest.getByLabel('Response body', { exact: true }).getByText('answer 2').waitFor()
  await newest.getByRole('button', { name: 'Redeliver' }).click()
  await until(async () => receiver.received.length === 3)
  expect(receiver.received[2]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id'])
  await expect.poll(() => page.locator('.result').getByText('delivered', { exact: true }).count(), patient).toBe(2)

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('region', { name: 'Signing secret' }).waitFor()
  expect(await page.getByRole('region', { name: 'Signing secret' }).textContent()).not.toContain(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Webhook disabled').waitFor()
  await page.getByRole('button', { name: 'Edit webhook' }).click()
  await page.getByLabel('Description').fill('To nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'To nobody' }).waitFor()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
  expect(problems).toEqual([])
})
