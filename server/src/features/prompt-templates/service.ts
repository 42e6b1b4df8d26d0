import type { Caller, Context } from '../../kernel/context.ts'
import { type Detail, invalid, Problem } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import { defaultVersion, production, readLabels } from '../../kernel/store/labels.ts'
import { resourcePath, resourcesUsing } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { getVersion } from '../../kernel/store/versions.ts'
import { PromptTemplate } from './schema.ts'

const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** The distinct names in a template, in order of appearance. */
const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map((match) => match[1] as string)),
]

const maxText = 1_000_000

/**
 * Replaces placeholders with values. Values are never expanded again. A template may name a large value many times, so the
 * length is counted before the text is built.
 */
function fill(template: string, values: Record<string, unknown>, field: string): string {
  let length = template.length
  return template.replace(placeholder, (_, name: string) => {
    const value = String(values[name])
    length += value.length
    if (length > maxText) invalid(field, 'make a text of more than 1,000,000 characters')
    return value
  })
}

/** The labels of its versions, as JSON. */
interface Hidden extends Record<string, unknown> {
  labels: string
}
export type PromptTemplateRow = Stored<PromptTemplate & Hidden>

export const promptTemplates = collection<typeof PromptTemplate, Hidden>({
  name: 'prompt_template',
  shape: PromptTemplate,
  prefix: 'tpl',
  kind: 'prompt template',
  versioned: true,
  async complete(change) {
    const { next, input, previous } = change
    next.labels ??= '{}'
    const used = placeholdersIn(next.template)
    if (input.variables !== undefined) checkDeclared(input.variables, used)
    next.variables = input.variables ?? used
    if (previous && !readLabels(next).has(production)) await requireAddedValues(change, previous.variables)
  },
})

const requireAddedValues = ({ ctx, tx, who, next }: Change<PromptTemplateRow>, previous: string[]): Promise<void> =>
  requireValues(
    ctx,
    tx,
    who,
    next.id,
    next.variables.filter((name) => !previous.includes(name)),
  )

/** Refuses variables if an agent uses the template without values for them, because its next message would fail. */
export async function requireValues(ctx: Context, tx: Db, who: Caller, id: string, added: string[]): Promise<void> {
  if (added.length === 0) return
  const users = await resourcesUsing(ctx.resources, tx, who.workspace, id)
  const details = users.flatMap(({ kind, row }) => {
    const values = (row as { prompt_variables?: Record<string, string> }).prompt_variables ?? {}
    const missing = added.filter((name) => !Object.hasOwn(values, name))
    const message = `${kind} has no value for ${missing.join(', ')}. Add it to prompt_variables: PUT ${resourcePath(kind, row.id)}`
    return missing.length === 0 ? [] : [{ path: row.id, message }]
  })
  if (details.length === 0) return
  const message = `Agents that use this template have no value for ${added.join(', ')}. Add it to their prompt_variables first; see details.`
  throw new Problem('in_use', message, { details: details.slice(0, maxDetails) })
}

const maxDetails = 20

function checkDeclared(declared: string[], used: string[]): void {
  const details: Detail[] = [
    ...declared.filter((name) => !used.includes(name)).map((name) => problem(`"${name}" is not in the template`)),
    ...used
      .filter((name) => !declared.includes(name))
      .map((name) => problem(`"${name}" is in the template but not declared`)),
    ...declared
      .filter((name, index) => declared.indexOf(name) !== index)
      .map((name) => problem(`"${name}" is declared twice`)),
  ]
  if (details.length > 0) throw new Problem('invalid_request', `variables: ${details[0]?.message}`, { details })
}

const problem = (message: string): Detail => ({ path: 'variables', message })

/** Rejects values that lack a variable of the template. */
export function rejectMissing(template: { variables: string[] }, values: Record<string, unknown>, field: string): void {
  const missing = template.variables.filter((name) => !Object.hasOwn(values, name))
  if (missing.length === 0) return
  throw new Problem('invalid_request', `${field}: a value is missing for ${missing.join(', ')}`, {
    details: missing.map((name) => ({ path: `${field}.${name}`, message: 'is required by the template' })),
  })
}

/** The template as agents use it: the version labelled `production`, else the newest. */
export async function answeringTemplate(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  id: string,
): Promise<PromptTemplateRow | undefined> {
  const row = await promptTemplates.find(db, who, id)
  if (!row) return undefined
  return templateVersion(db, who, row, defaultVersion(row).version)
}

export async function templateVersion(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  row: PromptTemplateRow,
  version: number,
): Promise<PromptTemplateRow> {
  if (version === row.version) return row
  return { ...row, ...(await getVersion(db, who.workspace, row.id, version)).snapshot, version }
}

/** Renders the template of an agent. */
export const promptFrom = async (
  db: Db,
  who: Pick<Caller, 'workspace'>,
  id: string,
  values: Record<string, string>,
): Promise<string> => (await renderPrompt(db, who, id, values))({})

/** The template of an agent with its values; a conversation may replace some of them. */
export async function renderPrompt(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  id: string,
  values: Record<string, string>,
): Promise<(own: Record<string, string>) => string> {
  const template = await answeringTemplate(db, who, id)
  return (own) => {
    if (!template) return ''
    const all = { ...values, ...own }
    rejectMissing(template, all, 'prompt_variables')
    return fill(template.template, all, 'prompt_variables')
  }
}

export async function render(
  ctx: Context,
  who: Caller,
  id: string,
  values: Record<string, unknown>,
): Promise<{ text: string }> {
  const template = await promptTemplates.get(ctx, who, id)
  rejectMissing(template, values, 'variables')
  return { text: fill(template.template, values, 'variables') }
}
