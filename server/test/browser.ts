import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findProgram } from './services/find.ts'

let running: Promise<Browser> | undefined
let shared: Promise<BrowserContext> | undefined

/** The Chromium of this machine, started once per process: starting it takes longer than most tests. */
async function runningBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) {
    running = start()
    shared = undefined
  }
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

/** A browser context without any state, closed when the test ends. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await runningBrowser()
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context
}

interface PageOptions {
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
  reducedMotion: 'reduce'
}

/**
 * A page in a context that all tests of the process share, so that scripts are loaded and compiled once. Session storage
 * belongs to the page; local storage is cleared when the test ends.
 */
export async function openPage({ viewport, ...media }: PageOptions): Promise<Page> {
  const browser = await runningBrowser()
  shared ??= browser.newContext()
  const page = await (await shared).newPage()
  onTestFinished(async () => {
    await page.evaluate('localStorage.clear()').catch(() => {})
    await page.close()
  })
  await page.setViewportSize(viewport)
  await page.emulateMedia(media)
  return page
}
