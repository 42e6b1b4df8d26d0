import { createHash } from 'node:crypto'
import { ToolNames } from '../../../kernel/agent/tool-names.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import { invalid, Problem } from '../../../kernel/errors.ts'
import { mebibyte, type Request } from '../../../kernel/http/app.ts'
import { parseJson } from '../../../kernel/http/json-text.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { second } from '../../../kernel/time.ts'
import { yieldEvery } from '../../../kernel/yield.ts'
import { type ApiToolRow, urlOrigin } from '../auth/auth.ts'
import { splitUrl } from '../request/build.ts'
import { ArgumentError } from '../request/template.ts'
import { SandboxError } from '../sandbox.ts'
import { type Auth, type AuthInput, authParts, type Method } from '../schema.ts'
import { apiTools, checkTool, createChecked, updateChecked } from '../service.ts'
import type { ReadResult } from './document.ts'
import type { Draft } from './operation.ts'
import { type ImportBody, maxOperations } from './schema.ts'

export const maxDocumentBytes = 16 * mebibyte
const largeBody = 256 * 1024
const transactionSize = 20
const maxBlockMs = 5

/** Large documents are parsed in a thread, because parsing one here would block the event loop. */
export const parseImport =
  (ctx: Context) =>
  async (raw: Buffer, { caller }: Request) => {
    if (raw.length < largeBody) return parseJson(raw)
    try {
      return await ctx.state['api-tools'].sandbox.parseImport(raw, caller.workspace)
    } catch (error) {
      if (error instanceof SandboxError) invalid('spec', `could not be read: ${error.message}`)
      throw error
    }
  }

/** Creates a tool for each operation, or updates the tool of an earlier import. */
export async function importTools(ctx: Context, who: Caller, body: ImportBody) {
  const { title, count, drafts, skipped } = await read(ctx, who, body)
  if (count > maxOperations)
    invalid('operations', `the document has ${count} matching operations; choose at most ${maxOperations}`)
  const known = await knownTools(ctx, who)
  const plans: Plan[] = []
  const yieldIfDue = yieldEvery(maxBlockMs)
  for (const text of drafts) {
    await yieldIfDue()
    const draft = JSON.parse(text) as Draft
    const previous = known.bySource.get(sourceKey(title, draft))
    const name = previous?.name ?? known.names.add(draft.name)
    const plan: Plan = {
      draft: { ...draft, ...(body.auth && { auth: body.auth }) },
      name,
      id: previous?.id ?? null,
      requiresApproval: body.requires_approval ?? previous?.requiresApproval ?? !readingMethods.includes(draft.method),
    }
    const problem = problemWith(ctx, plan)
    if (problem === null) plans.push(plan)
    else skipped.push({ operation: draft.operation, reason: problem })
  }
  const { created, updated } = body.dry_run
    ? { created: [], updated: [] }
    : await write(ctx, who, title, plans, body.auth !== undefined)
  const ids = new Map([...created, ...updated].map((tool) => [tool.source?.operation, tool.id]))
  return {
    created,
    updated,
    skipped,
    operations: plans.map(({ draft, name, id, requiresApproval }) => ({
      operation: draft.operation,
      operation_id: draft.operationId,
      name,
      description: draft.description,
      tool_id: ids.get(draft.operation) ?? id,
      auth: draft.auth.type,
      requires_approval: requiresApproval,
      notes: draft.notes,
    })),
    secrets_needed: secretsNeeded([...created, ...updated]),
  }
}

interface Plan {
  draft: Draft & { auth: AuthInput }
  name: string
  id: string | null
  requiresApproval: boolean
}

async function read(ctx: Context, who: Caller, body: ImportBody): Promise<ReadResult> {
  const { spec, url, documents = {}, base_url: baseUrl = null, operations = null, auth = null } = body
  const hasDocuments = Object.keys(documents).length > 0
  if (spec !== undefined && url !== undefined) invalid('spec', 'send either spec or url')
  if (spec === undefined && url === undefined && !hasDocuments) invalid('spec', 'send spec, url or documents')
  if (baseUrl !== null) checkBase(baseUrl)
  const fetched = url === undefined ? null : await fetchDocument(ctx, url)
  const text = fetched?.text ?? (spec === undefined ? null : documentText(spec))
  try {
    const task = {
      text,
      documentUrl: fetched?.url ?? null,
      documents: Object.fromEntries(Object.entries(documents).map(([name, each]) => [name, documentText(each)])),
      baseUrl,
      chosen: operations,
      auth: auth && { type: auth.type },
    }
    return await ctx.state['api-tools'].sandbox.readDocument(task, who.workspace)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const why = error.isLimit ? `could not be read: ${error.message}` : error.message
    return invalid(url !== undefined ? 'url' : spec !== undefined ? 'spec' : 'documents', why)
  }
}

const documentText = (document: object | string): string =>
  typeof document === 'string' ? document : JSON.stringify(document)

function checkBase(baseUrl: string): void {
  try {
    const { search } = splitUrl(baseUrl)
    if (search.length > 0 || /[{}]/.test(baseUrl)) invalid('base_url', 'must be a URL without query and {param}')
  } catch (error) {
    if (error instanceof ArgumentError) invalid('base_url', 'must be an http or https URL')
    throw error
  }
}

async function fetchDocument(ctx: Context, url: string): Promise<{ text: string; url: string }> {
  try {
    const answer = await ctx.egress.request(url, {
      headers: {
        accept: 'application/json, application/yaml, text/yaml, */*;q=0.5',
        'user-agent': `Parley/${ctx.version}`,
      },
      timeout: 30 * second,
      maxBytes: maxDocumentBytes,
      redirects: 5,
    })
    if (answer.status !== 200) invalid('url', `answered ${answer.status} instead of a document`)
    return { text: answer.body.toString('utf8'), url: answer.url }
  } catch (error) {
    if (error instanceof EgressError) invalid('url', error.message)
    throw error
  }
}

async function knownTools(ctx: Context, who: Caller) {
  const rows = await ctx.db
    .selectFrom('api_tool')
    .select(['id', 'name', 'source_key', 'requires_approval'])
    .where('workspace_id', '=', who.workspace)
    .execute()
  const bySource = rows.map(({ id, name, source_key: key, requires_approval: approval }) => {
    return [key, { id, name, requiresApproval: Boolean(approval) }] as const
  })
  return { names: new ToolNames(rows.map((row) => row.name)), bySource: new Map(bySource) }
}

/** Identifies an operation by the title of its document, its method and its path. */
const sourceKey = (title: string, { operation }: Draft): string =>
  createHash('sha256').update(`${title}\n${operation}`).digest('hex')

const draftFields = ({ method, url, parameters, headers, query, body, description }: Draft) => ({
  description,
  method,
  url,
  parameters,
  headers,
  query,
  body,
})

const defaults = {
  type: 'http',
  timeout_ms: 10 * second,
  response_path: null,
  max_response_bytes: mebibyte,
}

const readingMethods: Method[] = ['GET', 'HEAD', 'OPTIONS']

/** Why it could not be stored, or null. */
function problemWith(ctx: Context, { draft, name }: Plan): string | null {
  try {
    checkTool(ctx, { ...defaults, ...draftFields(draft), name, auth: draft.auth } as ApiToolRow, undefined)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

async function write(ctx: Context, who: Caller, title: string, plans: Plan[], isAuthGiven: boolean) {
  const written = { created: [] as ApiToolRow[], updated: [] as ApiToolRow[] }
  const yieldIfDue = yieldEvery(maxBlockMs)
  // Stores the tools in batches, so that other writers do not wait for long.
  for (let from = 0; from < plans.length; from += transactionSize) {
    await yieldIfDue()
    const some = plans.slice(from, from + transactionSize)
    const batch = await inTransaction(ctx.db, async (tx) => {
      const created: ApiToolRow[] = []
      const updated: ApiToolRow[] = []
      for (const { draft, name, id, requiresApproval } of some) {
        const fields = { ...draftFields(draft), requires_approval: requiresApproval }
        const previous = id === null ? undefined : await apiTools.find(tx, who, id)
        if (previous) {
          const auth = authAfter(previous, draft, isAuthGiven)
          updated.push(await updateChecked(ctx, who, previous.id, { ...fields, ...(auth && { auth }) }, undefined, tx))
        } else {
          const source = { document: title, operation: draft.operation }
          const more = { source, source_key: sourceKey(title, draft) }
          created.push(await createChecked(ctx, who, { ...defaults, ...fields, auth: draft.auth, name, ...more }, tx))
        }
      }
      return { created, updated }
    })
    written.created.push(...batch.created)
    written.updated.push(...batch.updated)
  }
  return written
}

/** Keeps the configured auth unless the caller sends another. If the API moved, its secrets are deleted: they are never sent to a new address. */
function authAfter(previous: ApiToolRow, draft: Plan['draft'], isGiven: boolean): AuthInput | undefined {
  const all = [draft.auth, ...(draft.auth.additional ?? [])]
  if (all.some(hasSecret)) return draft.auth
  const isSameOrigin = urlOrigin(previous.url) === urlOrigin(draft.url)
  if (isSameOrigin) return isGiven || previous.auth.type === 'none' ? draft.auth : undefined
  const withoutSecrets = (auth: AuthInput): AuthInput => ({
    ...auth,
    ...Object.fromEntries(authParts[auth.type].secret.map((part) => [part, null])),
  })
  const { additional } = draft.auth
  return { ...withoutSecrets(draft.auth), ...(additional && { additional: additional.map(withoutSecrets) }) }
}

const hasSecret = (auth: AuthInput): boolean =>
  authParts[auth.type].secret.some((part) => auth[part] !== undefined) || auth.key !== undefined

function secretsNeeded(tools: ApiToolRow[]) {
  const needed = new Map<string, { auth: string; secret: string; tool_ids: string[] }>()
  const note = (id: string, auth: Auth, path: string) => {
    for (const part of authParts[auth.type].secret) {
      if (auth[`${part}_set`]) continue
      const secret = `${path}.${part}`
      const entry = needed.get(secret) ?? { auth: auth.type, secret, tool_ids: [] }
      entry.tool_ids.push(id)
      needed.set(secret, entry)
    }
  }
  for (const { id, auth } of tools) {
    note(id, auth, 'auth')
    for (const [index, each] of (auth.additional ?? []).entries()) note(id, each, `auth.additional.${index}`)
  }
  return [...needed.values()]
}
