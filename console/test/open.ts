import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../server/test/browser.ts'
import { buildConsole } from '../build.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Opened {
  page: Page
  /** What the page complained about, and whom else it asked. */
  problems: string[]
  /** How many requests went to the API. */
  asked: () => number
}

type Options = Parameters<typeof openBrowser>[0]

/** Builds the console where it is stale. Before the service starts, because that reads the files. */
export const withConsole = buildConsole

/** A page of the console in a real browser. Whatever goes wrong on it is remembered. */
export async function openConsole(url: string, token: string | null, options: Options = {}): Promise<Opened> {
  const browser = await openBrowser({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })
  const page = await browser.newPage()
  const problems: string[] = []
  let asked = 0
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.pathname.startsWith('/api/')) asked++
    if (address.origin !== url && address.protocol.startsWith('http')) problems.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // A page may ask for what its service does not have (yet), and the browser says so.
    if (message.type() === 'error' && !/status of (404|401)|ERR_/.test(message.text())) problems.push(message.text())
  })
  page.setDefaultTimeout(15_000)
  await page.goto(token === null ? url : `${url}/#token=${token}`)
  return { page, problems, asked: () => asked }
}

/** Looks for what keeps people with disabilities out. */
export async function barriers(page: Page, where: string): Promise<string[]> {
  // Evaluated from outside, because the page's own policy lets no foreign script in.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)[0]}`,
    )
}
