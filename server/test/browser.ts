import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findProgram } from './services/find.ts'

let running: Promise<Browser> | undefined

/** The machine's own Chromium, started once for all tests of a process: starting costs more than most of them do. */
async function runningBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = start()
  return running as Promise<Browser>
}

const start = (): Promise<Browser> =>
  chromium.launch({
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

/** A browser that has been nowhere yet, closed when the test ends: nothing it keeps is seen by another. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await runningBrowser()
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context
}
