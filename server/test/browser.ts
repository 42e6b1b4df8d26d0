import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from './services/find.ts'

let running: Promise<Browser> | undefined
let free: BrowserContext[] = []

/** The Chromium of this machine, started once per process: starting it takes longer than most tests. */
async function runningBrowser(): Promise<Browser> {
  if (!(await running)?.isConnected()) {
    running = start()
    free = []
  }
  return running as Promise<Browser>
}

const start = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? '',
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
 * A page with its own cookies and storage, in a context of an earlier test if one is free: there, scripts are already loaded
 * and compiled.
 */
export async function openPage({ viewport, ...media }: PageOptions): Promise<Page> {
  const browser = await runningBrowser()
  const context = free.pop() ?? (await browser.newContext())
  const page = await context.newPage()
  onTestFinished(async () => {
    await page.evaluate('localStorage.clear()').catch(() => {})
    await Promise.all(context.pages().map((each) => each.close()))
    await context.clearCookies()
    free.push(context)
  })
  await page.setViewportSize(viewport)
  await page.emulateMedia(media)
  return page
}
