import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import type { Printer } from '../printer.ts'
import { truncate } from '../text.ts'
import { withNames } from './canonical.ts'
import type { Fields } from './kinds.ts'
import type { Change, FieldChange, Plan } from './plan.ts'

const maxValue = 160
const maxLines = 40

/** Prints the planned changes, field by field. */
export function printPlan(out: Printer, plan: Plan): void {
  for (const change of plan.changes) if (change.action !== 'none') printChange(out, plan, change)
  const count = (action: Change['action']): number => plan.changes.filter((each) => each.action === action).length
  const parts = [`${count('create')} to create`, `${count('change')} to change`, `${count('none')} unchanged`]
  if (count('delete') > 0) parts.splice(2, 0, `${count('delete')} to delete`)
  out.line(out.paint('bold', `${parts.join(', ')}.`))
  if (plan.keptSecrets > 0)
    out.line(
      out.paint(
        'dim',
        `${plan.keptSecrets === 1 ? 'One secret stays' : `${plan.keptSecrets} secrets stay`} as stored, because secrets cannot be read back and compared. Write them again with --update-secrets.`,
      ),
    )
}

const signs = { create: ['+', 'green'], change: ['~', 'yellow'], delete: ['-', 'red'], none: [' ', 'dim'] } as const

function printChange(out: Printer, plan: Plan, change: Change): void {
  const { kind, name, action, fields, secrets } = change
  const [sign, color] = signs[action]
  out.line(out.paint(color, `${sign} ${kind.noun} "${name}"`))
  for (const { field, from, to } of fields) {
    if (field === kind.identity) continue
    const shown = { field, from: readable(plan, change, field, from), to: readable(plan, change, field, to) }
    for (const line of action === 'create' ? added(shown) : difference(shown)) out.line(`    ${styled(out, line)}`)
    if (action === 'change' && field === 'access' && to === undefined)
      out.line(`    ${out.paint('red', 'Everyone may see it then.')}`)
  }
  for (const { secret, reason } of secrets)
    out.line(`    ${secret.path.join('.')}: the value of ${secret.variable} (${reason})`)
}

/** With names instead of keys. */
function readable(plan: Plan, { kind, before, after }: Change, field: string, value: unknown): unknown {
  if (value === undefined) return undefined
  const context: Fields = { ...before, ...after, [field]: value }
  return withNames(kind, context, (key, sections) => plan.directory.shortName(key, sections), 'to-file')[field]
}

const styled = (out: Printer, line: string): string =>
  line.startsWith('  - ') ? out.paint('red', line) : line.startsWith('  + ') ? out.paint('green', line) : line

const inline = (value: unknown): string =>
  value === undefined
    ? '(default)'
    : stringify(value, { collectionStyle: 'flow', lineWidth: 0 })
        .trim()
        .replace(/\s*\n\s*/g, ' ')

const isLong = (value: unknown): boolean =>
  (typeof value === 'string' && value.includes('\n')) || (value !== undefined && inline(value).length > maxValue)

const toLines = (value: unknown): string[] =>
  value === undefined
    ? []
    : (typeof value === 'string' ? value : stringify(value, { lineWidth: 0 })).trimEnd().split('\n')

const added = ({ field, to }: FieldChange): string[] =>
  isLong(to) ? [`${field}:`, ...shortened(toLines(to)).map((line) => `  ${line}`)] : [`${field}: ${inline(to)}`]

function difference({ field, from, to }: FieldChange): string[] {
  if (!isLong(from) && !isLong(to)) return [`${field}: ${inline(from)} → ${inline(to)}`]
  return [`${field}:`, ...shortened(lineDifference(toLines(from), toLines(to)))]
}

const shortened = (lines: string[]): string[] => {
  const shown = lines.slice(0, maxLines).map((line) => truncate(line, maxValue))
  return lines.length > maxLines ? [...shown, `  … and ${lines.length - maxLines} more lines`] : shown
}

/** The lines between the equal ones at the start and at the end. */
function lineDifference(from: readonly string[], to: readonly string[]): string[] {
  let start = 0
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const removed = from.slice(start, from.length - end)
  const inserted = to.slice(start, to.length - end)
  return [
    ...(start > 0 ? [`    ${from[start - 1]}`] : []),
    ...removed.map((line) => `  - ${line}`),
    ...inserted.map((line) => `  + ${line}`),
    ...(end > 0 ? [`    ${from[from.length - end]}`] : []),
  ]
}

/** For `--json`. Secrets are named, never shown. */
export const planAsJson = (plan: Plan) =>
  plan.changes
    .filter(({ action }) => action !== 'none')
    .map((change) => ({
      section: change.kind.section,
      name: change.name,
      action: change.action,
      fields: change.fields
        .filter(({ from, to }) => !isDeepStrictEqual(from, to))
        .map(({ field, from, to }) => ({
          field,
          from: readable(plan, change, field, from) ?? null,
          to: readable(plan, change, field, to) ?? null,
        })),
      secrets: change.secrets.map(({ secret, reason }) => ({
        field: secret.path.join('.'),
        variable: secret.variable,
        reason,
      })),
    }))
