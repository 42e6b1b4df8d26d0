import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openPage } from '../../server/test/browser.ts'
import { launchShared, requestsTo, type Service, type Start, startService } from '../../server/test/harness.ts'
import { makeFolder } from '../../server/test/services/folder.ts'
import { placeMigrated } from '../../server/test/services/sqlite.ts'
import { stageOn } from '../../server/test/stage.ts'

interface OpenPage {
  page: Page
  /** Errors on the page, and requests to other hosts. */
  problems: string[]
  /** The requests to the API so far, without those that are repeated regularly. */
  requests: string[]
  /** Navigates within the page, as a link does: faster than loading it again. */
  goTo: (path: string) => Promise<void>
}

interface Options {
  /** `null` opens the page without signing in. Default: the owner of the workspace. */
  token?: string | null
  /** Another address of the service, such as a proxy. */
  url?: string
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
}

/** Opens a page of the console, signed in. */
type Open = (path?: string, options?: Options) => Promise<OpenPage>

type Requests = ReturnType<typeof requestsTo>
export type Workspace = Requests & Pick<Service, 'ctx' | 'environment'> & { open: Open }

let shared: Promise<Service> | undefined

/** One service for all tests of a process: each test gets a workspace of its own. */
async function startShared(): Promise<Service> {
  const folder = makeFolder('shared-console')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await placeMigrated(folder)
  return launchShared({ DATA_DIR: folder, ADMIN_TOKEN: 'the-owner-of-these-tests', EGRESS_ALLOW: '127.0.0.1' })
}

/** A new workspace on the shared service, with a token of its owner. */
export async function workspace(): Promise<Workspace> {
  shared ??= startShared()
  const service = await shared
  const { id } = (await service.post('/workspaces', { name: 'Test' })).body.data
  onTestFinished(async () => void (await service.remove(`/workspaces/${id}`)))
  const owner = { name: 'Owner', role: 'owner' }
  const { token } = (await service.post('/tokens', owner, { headers: { 'x-workspace': id } })).body.data
  return withOpen({ ctx: service.ctx, environment: service.environment, ...requestsTo(service.url, token) })
}

/** A new workspace with an agent on a scripted model. */
export const stagedWorkspace = async (
  script?: Parameters<typeof stageOn>[1],
  agent: object = {},
): Promise<Workspace & Awaited<ReturnType<typeof stageOn>>> => stageOn(await workspace(), script, agent)

/** A service of its own, for tests that need another configuration. */
export const ownService = async (start: Start): Promise<Service & { open: Open }> => withOpen(await startService(start))

/** Toasts may be above what is to be clicked next. */
export async function dismissToasts(page: Page): Promise<void> {
  const toasts = page.locator('.toast:not([data-ending-style])')
  // Clicked within the page: one that ends by itself meanwhile would be waited for.
  await expect
    .poll(async () => {
      await toasts.getByLabel('Dismiss').evaluateAll((buttons) => {
        for (const button of buttons) (button as unknown as { click(): void }).click()
      })
      return toasts.count()
    })
    .toBe(0)
}

/** Expects that none of the buttons is on the page. */
export const expectNoButtons = (page: Page, names: string[], { exact = false } = {}): Promise<void> =>
  expect
    .poll(async () => {
      const counts = await Promise.all(names.map((name) => page.getByRole('button', { name, exact }).count()))
      return names.filter((_, index) => counts[index] !== 0)
    })
    .toEqual([])

export const withOpen = <S extends { url: string; token: string }>(service: S): S & { open: Open } => ({
  ...service,
  open: (path = '/', options = {}) => openConsole(path, { url: service.url, token: service.token, ...options }),
})

/** The number of approvals that wait is in the navigation. */
const repeatedly = /\/approvals$/

/**
 * Runs in the page. Toasts stay, as while a person is in another window: a slow machine may come to look for one only after
 * its few seconds.
 */
const keepToasts = `
  const leave = () => dispatchEvent(new Event('blur'))
  new MutationObserver(leave).observe(document, { childList: true, subtree: true })
  addEventListener('focus', () => setTimeout(leave), true)
`

async function openConsole(path: string, options: Options & { url: string }): Promise<OpenPage> {
  const { url, token, viewport = { width: 1280, height: 800 }, colorScheme = 'light' } = options
  const page = await openPage({ reducedMotion: 'reduce', viewport, colorScheme, url })
  const problems: string[] = []
  const requests: string[] = []
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.pathname.startsWith('/api/') && !repeatedly.test(target.pathname))
      requests.push(`${request.method()} ${target.pathname}${target.search}`)
    if (target.origin !== url && target.protocol.startsWith('http')) problems.push(`requested ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // The browser logs each 401 and 404, and connections that a test cuts.
    if (message.type() === 'error' && !/status of (404|401)|ERR_/.test(message.text())) problems.push(message.text())
  })
  await page.addInitScript(keepToasts)
  await page.goto(`${url}${path}${token ? `#token=${token}` : ''}`)
  const goTo = async (next: string) =>
    void (await page.evaluate(`history.pushState(null, '', ${JSON.stringify(next)})`))
  return { page, problems, requests, goTo }
}

/** Chooses an option of a list that is long enough to be searched. */
export async function chooseByWords(page: Page, label: string, words: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(words)
  await page.keyboard.press('Enter')
}
