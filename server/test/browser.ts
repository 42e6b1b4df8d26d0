import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findProgram } from './services/find.ts'

/** The machine's own Chromium with a fresh profile, closed when the test ends. */
export async function openBrowser(
  more: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> {
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
    ...more,
  })
  onTestFinished(async () => {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  })
  return browser
}
