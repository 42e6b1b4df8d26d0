import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Scope {
  within?: string
  rules?: string[]
}

/** The serious and critical accessibility violations on a page, or in its dialog if one is open. */
export async function violations(
  page: Page,
  label: string,
  { within = '[role=dialog], [role=alertdialog]', rules }: Scope = {},
): Promise<string[]> {
  // Evaluated from outside, because the page's own policy blocks other scripts.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = (await page.evaluate(
    `axe.run(document.querySelector(${JSON.stringify(within)}) ?? document, ${options})`,
  )) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${label}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)[0]}`,
    )
}
