import { expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startService } from './harness.ts'

it('the sign-in link opens the API reference, which sends requests and loads nothing from another host', async () => {
  const { url, token } = await startService()
  const page = await (await openBrowser()).newPage()
  const hosts = new Set<string>()
  const problems: string[] = []
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${url}/docs#token=${token}`)
  await page.getByRole('button', { name: 'Expand operation' }).nth(16).waitFor() // every group is listed
  await page.getByText('Agents', { exact: true }).first().click()
  await page.getByText('List agents', { exact: true }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByText('List agents', { exact: true }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('"pagination"').first().waitFor()
  expect([...hosts].filter((host) => host !== url && host !== 'null')).toEqual([])
  expect(problems).toEqual([])
})
