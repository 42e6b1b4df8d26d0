import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules that depend on colors and widths. Roles and names are the same in every look. */
export const lookRules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'aria-hidden-focus']

/** Rules with minor or moderate impact, which is not reported. They take a fifth of the time. */
const unreportedRules = [
  'aria-allowed-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'skip-link',
  'table-duplicate-name',
]
const withoutUnreported = Object.fromEntries(unreportedRules.map((id) => [id, { enabled: false }]))

interface Scope {
  /** A selector of the part to check if no dialog is open. Default: the whole page. */
  within?: string
  rules?: string[]
}

/** The serious and critical accessibility violations on a page, or in its dialog if one is open. */
export async function violations(page: Page, label: string, scope: Scope = {}): Promise<string[]> {
  const { within = 'html', rules } = scope
  // Evaluated from outside, because the page's own policy blocks other scripts.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : { rules: withoutUnreported }) }
  const found = (await page.evaluate(
    `axe.run(
      document.querySelector('[role=dialog], [role=alertdialog]') ?? document.querySelector(${JSON.stringify(within)}),
      ${JSON.stringify(options)},
    )`,
  )) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${label}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)[0]}`,
    )
}

/** Expects no violations. Repeated until there are none, because the page may still be rendering. */
export const expectAccessible = (page: Page, label: string, scope?: Scope): Promise<void> =>
  expect.poll(() => violations(page, label, scope)).toEqual([])

/** The same in the light and in the dark theme. The page stays dark. */
export async function expectAccessibleInBothThemes(page: Page, label: string, scope?: Scope): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page, `${label}, light`, scope)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, `${label}, dark`, { ...scope, rules: lookRules })
}
