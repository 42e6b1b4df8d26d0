import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, lookRules } from '../../console/test/accessibility.ts'
import { openBrowser } from './browser.ts'
import { startService } from './harness.ts'

function consoleErrors(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  return problems
}

it('the sign-in link opens the API reference, which sends requests and loads nothing from another host', async () => {
  const { url, token } = await startService()
  const page = await (await openBrowser()).newPage()
  const hosts = new Set<string>()
  const problems = consoleErrors(page)
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.goto(`${url}/docs#token=${token}`) // where the reference was before
  await page.waitForURL(`${url}/docs/reference`)
  await page.getByRole('button', { name: 'Expand operation' }).nth(16).waitFor() // every group is listed
  await page.getByText('Agents', { exact: true }).first().click()
  await page.getByText('List agents', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).hash).toBe('')
  await page.getByText('List agents', { exact: true }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('"pagination"').first().waitFor()
  expect([...hosts].filter((host) => host !== url && host !== 'null')).toEqual([])
  expect(problems).toEqual([])
})

const looks = [
  { colorScheme: 'light', width: 1440, scope: {} },
  { colorScheme: 'dark', width: 390, scope: { rules: lookRules } },
] as const

it('the documentation can be read on a phone and a screen, in light and dark', async () => {
  const { url } = await startService()
  const page = await (await openBrowser()).newPage()
  const problems = consoleErrors(page)
  for (const path of ['/docs', '/docs/conversations', '/docs/search?q=agent']) {
    await page.goto(`${url}${path}`)
    for (const { colorScheme, width, scope } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page, `${path} ${colorScheme} ${width}`, scope)
      const overflow = () => page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')
      await expect.poll(async () => [path, width, await overflow()]).toEqual([path, width, 0])
    }
  }
  expect(problems).toEqual([])
})

it('the documentation is searched and its code copied with the keyboard', async () => {
  const { url } = await startService()
  const context = await openBrowser()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const problems = consoleErrors(page)
  await page.goto(`${url}/docs`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#content$/)
  await page.keyboard.press('/')
  await page.keyboard.type('verify a signature')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webhooks: Verify signatures' }).click()
  await page.waitForURL(/#verify-signatures$/)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain("from 'standardwebhooks'")
  expect(problems).toEqual([])
})

it('the documentation works without JavaScript', async () => {
  const { url } = await startService()
  const page = await (await openBrowser({ javaScriptEnabled: false })).newPage()
  await page.goto(`${url}/docs`)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Errors' }).click()
  await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
  await page.getByRole('searchbox').fill('rate limit')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
})
