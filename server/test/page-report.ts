import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { addFailureNote } from './failure-notes.ts'

const resultsFolder = fileURLToPath(new URL('../../test-results', import.meta.url))
const maxLength = 3000
/** A page that hangs must not keep the report of the other pages. */
const timeout = 15_000

const linesByPage = new WeakMap<Page, string[]>()

/** Records the console lines, errors and failed requests of all pages of a context. */
export function recordPages(context: BrowserContext): void {
  context.on('page', (page) => {
    const lines: string[] = []
    linesByPage.set(page, lines)
    page.on('console', (message) => {
      const { url } = message.location()
      lines.push(`${message.type()}: ${message.text()}${url && ` (${url})`}`)
    })
    page.on('pageerror', (error) => lines.push(`uncaught: ${error.stack ?? error.message}`))
    page.on('requestfailed', (request) =>
      lines.push(`failed: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
    )
    page.on('crash', () => lines.push('crashed'))
  })
}

/** Saves a screenshot and the recorded lines of each page, and adds the lines to the output of the test. Returns the folder. */
export async function reportPages(pages: Page[], testName: string): Promise<string> {
  const folder = join(resultsFolder, testName.replace(/[^a-z0-9]+/gi, '-').slice(0, 120))
  mkdirSync(folder, { recursive: true })
  for (const [index, page] of pages.entries()) {
    const path = join(folder, `page-${index + 1}`)
    const picture = await page.screenshot({ path: `${path}.png`, timeout }).then(
      () => `${path}.png`,
      (error: Error) => `No screenshot: ${error.message}`,
    )
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout })
      .catch((error: Error) => error.message)
    const text = [
      `${page.url()} (${picture}, ${path}.txt)`,
      ...(linesByPage.get(page) ?? []),
      'On the page:',
      shown.slice(0, maxLength),
    ].join('\n')
    writeFileSync(`${path}.txt`, `${text}\n`)
    addFailureNote(text)
  }
  return folder
}
