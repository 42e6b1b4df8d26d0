import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { recordPages, reportPages } from './page-report.ts'
import { findChromium } from './services/find.ts'

/** On a busy machine everything takes long. Only a condition that never holds should end here. */
const patience = 60_000

let running: Promise<Browser> | undefined
let free: ReusableContext[] = []

/**
 * The Chromium of this machine, started once per process: starting it takes longer than most tests. One browser for all
 * processes would start once, but send every message through one more process.
 */
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
    timeout: 3 * patience,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The pages of a context share a process and its compiled scripts: a page takes a quarter less processor time.
      '--process-per-site',
      '--renderer-process-limit=1',
    ],
  })

async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await runningBrowser()).newContext(options)
  context.setDefaultTimeout(patience)
  context.setDefaultNavigationTimeout(2 * patience)
  recordPages(context)
  return context
}

/** Reports the pages if the test has failed, then calls `end`. */
function whenFinished(pages: () => Page[], end: () => Promise<void>): void {
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await reportPages(pages(), `${task.file.name} ${task.name}`)
    await end()
  })
}

/** A browser context without any state, closed when the test ends. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await newContext(options)
  whenFinished(
    () => context.pages(),
    () => context.close(),
  )
  return context
}

interface ReusableContext {
  context: BrowserContext
  /** Stays open between tests, so that the process with the compiled scripts does. */
  keeper: Page
}

async function newReusableContext(url: string): Promise<ReusableContext> {
  const context = await newContext()
  const keeper = await context.newPage()
  await keeper.goto(`${url}/icon.svg`) // any small file of the same host
  return { context, keeper }
}

/** Their clock stays fixed, so no other test gets them. */
const withFixedTime = new WeakSet<BrowserContext>()

/** Fixes the clock of a page: for tests that compare days, which may end at any moment. */
export async function fixTime(page: Page, time: Date | string): Promise<void> {
  withFixedTime.add(page.context())
  await page.clock.setFixedTime(time)
}

interface PageOptions {
  /** The address of the service that the page is going to show. */
  url: string
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
  reducedMotion: 'reduce'
}

/**
 * A page with its own cookies and storage, in a context of an earlier test if one is free: there, scripts are already loaded
 * and compiled.
 */
export async function openPage({ url, viewport, ...media }: PageOptions): Promise<Page> {
  await runningBrowser()
  const reusable = free.pop() ?? (await newReusableContext(url))
  const { context, keeper } = reusable
  const page = await context.newPage()
  const opened = () => context.pages().filter((each) => each !== keeper)
  whenFinished(opened, async () => {
    if (withFixedTime.has(context)) return context.close()
    await Promise.all(opened().map((each) => each.close()))
    const session = await context.newCDPSession(keeper)
    await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'local_storage' })
    await session.detach()
    await context.clearCookies()
    free.push(reusable)
  })
  await page.setViewportSize(viewport)
  await page.emulateMedia(media)
  return page
}
