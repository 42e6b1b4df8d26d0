import { readFile } from 'node:fs/promises'
import { CliError, UsageError } from '../failures.ts'
import { confirm, readStdin } from '../prompt.ts'
import type { Session } from '../session.ts'
import { planAsJson, printPlan } from './diff.ts'
import { execute, inOrder, releaseHandoffs, writePostponed } from './execute.ts'
import { isFields, resourcesIn } from './kinds.ts'
import { type Change, createPlan, type Plan } from './plan.ts'
import { unknownReferences } from './references.ts'
import { validator } from './schema.ts'
import { readDescription, readState } from './state.ts'
import { parseYaml, problemsError, type Source } from './yaml.ts'

interface PlanOptions {
  prune: boolean
  updateSecrets: boolean
}

interface ApplyOptions extends PlanOptions {
  dryRun: boolean
  yes: boolean
}

export async function readSource(
  { io, path }: Pick<Session, 'io' | 'path'>,
  name: string,
  options: { allowAliases?: boolean } = {},
): Promise<Source> {
  if (name === '-') return parseYaml(await readStdin(io), 'stdin', options)
  const text = await readFile(path(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CliError(`There is no file ${name}.`) : error
  })
  return parseYaml(text, name, options)
}

/** Compares a file with the workspace. Throws all problems of the file at once. */
async function planSource(session: Session, source: Source, options: PlanOptions): Promise<Plan> {
  const client = await session.client()
  const description = await readDescription(client)
  const sections = isFields(source.value) ? Object.keys(source.value) : []
  const invalid = validator(description, sections)(source.value)
  if (!isFields(source.value)) throw problemsError(source, invalid)
  const file = source.value
  const state = await readState(client, {
    // Agents that are deleted may name each other.
    details: ({ section }, name) =>
      resourcesIn(file, section).some((fields) => fields.name === name) ||
      (section === 'agents' && (options.prune || resourcesIn(file, 'labels').some(({ agent }) => agent === name))),
    tokens: resourcesIn(file, 'thresholds').some(({ entity_type }) => entity_type === 'token'),
    labels: 'labels' in file,
  })
  // A file of the wrong shape cannot be compared, but its references can be looked up.
  if (invalid.length > 0) throw problemsError(source, [...invalid, ...unknownReferences(file, state)])
  const plan = createPlan({ file, description, state, environment: session.io.environment, ...options })
  if (plan.problems.length > 0) throw problemsError(source, plan.problems)
  return plan
}

/** Shows what would change. Returns 2 if something would, as a gate for CI. */
export async function diffSource(session: Session, source: Source, options: PlanOptions): Promise<number> {
  const { out, isJson } = session
  const plan = await planSource(session, source, options)
  if (isJson) out.json({ changes: planAsJson(plan) })
  else printPlan(out, plan)
  return inOrder(plan).length > 0 ? 2 : 0
}

/** Applies a file to the workspace. Everything is checked before anything is written. */
export async function applySource(session: Session, source: Source, options: ApplyOptions): Promise<number> {
  const { io, out, isJson } = session
  const client = await session.client()
  const plan = await planSource(session, source, options)
  const changes = inOrder(plan)
  const report = isJson ? session.err : out
  if (!isJson) printPlan(out, plan)
  if (options.dryRun || changes.length === 0) {
    if (isJson) out.json({ applied: false, changes: planAsJson(plan) })
    return 0
  }
  const question = `Apply ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`}?`
  if (!(await confirmed(session, question, options))) {
    report.line('Nothing was changed.')
    return 1
  }
  const firstDeleted = changes.findIndex(({ action }) => action === 'delete')
  const release = async () => {
    await writePostponed(client, plan)
    await releaseHandoffs(client, changes.slice(firstDeleted))
  }
  for (const [done, change] of changes.entries()) {
    try {
      if (done === firstDeleted) await release()
      await execute(client, plan, change, io.environment)
    } catch (error) {
      throw stopped(source, change, error, done, changes.length)
    }
    if (!isJson) out.line(out.paint('dim', `${pastTense[change.action]} ${change.kind.noun} "${change.name}"`))
    if (change.action === 'create' && change.kind.section === 'triggers')
      report.line('  Get its secret with POST /api/triggers/{id}/rotate-secret, which shows a new one.')
    if (change.action === 'create' && change.kind.section === 'webhooks')
      report.line('  Get the secret that signs its deliveries in the console: "Rotate secret" shows a new one.')
  }
  if (firstDeleted < 0) await writePostponed(client, plan)
  if (isJson) out.json({ applied: true, changes: planAsJson(plan) })
  else out.line(out.paint('green', changes.length === 1 ? 'Applied one change.' : `Applied ${changes.length} changes.`))
  return 0
}

const pastTense = { create: 'Created', change: 'Changed', delete: 'Deleted', none: '' }

async function confirmed({ io, isJson }: Session, question: string, { yes }: ApplyOptions): Promise<boolean> {
  if (isJson && !yes) throw new UsageError('Pass --yes with --json, or --dry-run.')
  return confirm(io, question, yes)
}

/** The error of a failed change, with the number of changes made before it. */
function stopped(
  source: Source,
  { kind, name, path, action }: Change,
  error: unknown,
  done: number,
  total: number,
): CliError {
  const { message, details = [] } = error as Error & { details?: { path: string; message: string }[] }
  const place = action === 'delete' ? '' : `${source.locate(path)}: `
  const lines = details.length > 1 ? details.map((each) => `  ${each.path}: ${each.message}`) : []
  return new CliError(
    [
      `${place}${kind.noun} "${name}" could not be ${action === 'create' ? 'created' : `${action}d`}: ${message}`,
      ...lines,
    ].join('\n'),
    `${done} of ${total} changes were made. Mend the cause and apply the file again: it goes on with the rest.`,
  )
}
