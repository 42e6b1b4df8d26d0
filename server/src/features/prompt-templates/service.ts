import type { Caller, Context } from '../../kernel/context.ts'
import { type Detail, Problem } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import { resourcePath, resourcesUsing } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { PromptTemplate } from './schema.ts'

const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** The distinct names in a template, in order of appearance. */
const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map((match) => match[1] as string)),
]

/** Replaces placeholders with values. Values are never expanded again. */
const fill = (template: string, values: Record<string, unknown>): string =>
  template.replace(placeholder, (_, name: string) => String(values[name]))

export const promptTemplates = collection({
  name: 'prompt_template',
  shape: PromptTemplate,
  prefix: 'tpl',
  kind: 'prompt template',
  versioned: true,
  async complete(change) {
    const { next, input } = change
    const used = placeholdersIn(next.template)
    if (input.variables !== undefined) checkDeclared(input.variables, used)
    next.variables = input.variables ?? used
    await requireValues(change)
  },
})

/** Refuses a new variable if an agent uses the template without a value for it, because its next message would fail. */
async function requireValues({ ctx, tx, who, next, previous }: Change<Stored<PromptTemplate>>): Promise<void> {
  const added = next.variables.filter((name) => !previous?.variables.includes(name))
  if (!previous || added.length === 0) return
  const users = await resourcesUsing(ctx.resources, tx, who.workspace, next.id)
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
  const template = await promptTemplates.find(db, who, id)
  return (own) => {
    if (!template) return ''
    const all = { ...values, ...own }
    rejectMissing(template, all, 'prompt_variables')
    return fill(template.template, all)
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
  return { text: fill(template.template, values) }
}
