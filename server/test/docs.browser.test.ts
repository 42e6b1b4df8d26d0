import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from './harness.ts'
import { findProgram } from './services/find.ts'

async function openBrowser(): Promise<BrowserContext> {
  const profile = mkdtempSync(join(tmpdir(), 'parley-browser-'))
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: findProgram('chromium', 'chromium-browser', 'google-chrome') ?? '',
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  onTestFinished(async () => {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  })
  return browser
}

it('the sign-in link opens the reference, ready to try requests, with nothing from another host', async () => {
  const { url, token } = await startService()
  const page = await (await openBrowser()).newPage()
  const hosts = new Set<string>()
  const problems: string[] = []
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${url}/#token=${token}`)
  await page.getByText('List agents').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByText('List agents').click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('"pagination"').first().waitFor()
  expect([...hosts].filter((host) => host !== url && host !== 'null')).toEqual([])
  expect(problems).toEqual([])
})
