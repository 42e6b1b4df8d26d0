import { compile as compilePath } from '@jmespath-community/jmespath'
import type { Approvers } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, reason } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import { lockWorkspace } from '../../kernel/store/workspaces.ts'
import { forgetUnused } from './accounts/store.ts'
import { type ApiToolRow, checkHeaderNames, type Hidden, settleAuth, urlOrigin } from './auth/auth.ts'
import { pathNames, splitUrl, usedNames } from './request/build.ts'
import { ArgumentError } from './request/template.ts'
import { SandboxError } from './sandbox.ts'
import { ApiTool, defaultApprovalMinutes } from './schema.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    api_tool: {
      id: string
      workspace_id: string
      name: string
      source_key: string | null
      requires_approval: boolean | null
    }
  }
}

const rows = collection<typeof ApiTool, Hidden>({
  name: 'api_tool',
  shape: ApiTool,
  prefix: 'api',
  kind: 'API tool',
  async complete(change) {
    const { next, previous } = change
    next.source ??= null
    next.source_key ??= null
    if (next.type !== 'mcp') next.requires_approval ??= false
    checkTool(change.ctx, next, previous)
    settleAuth(change)
    checkAccount(next)
    if (change.previous?.auth.type === 'oauth2') await forgetAccounts(change)
    await rejectTakenName(change)
  },
})

const maxSchemaBytes = 128 * 1024

/** Runs before the transaction, because compiling a schema may take long. */
async function checkParameters(ctx: Context, { workspace }: Caller, tool: { parameters?: unknown }): Promise<void> {
  if (tool.parameters === undefined) return
  const schema = JSON.stringify(tool.parameters)
  if (schema.length > maxSchemaBytes) invalid('parameters', `is larger than ${maxSchemaBytes / 1024} KiB`)
  const problem = await ctx.state['api-tools'].sandbox.checkSchema(schema, { workspace }).catch((error) => {
    if (error instanceof SandboxError) return `cannot be checked: ${error.message}`
    throw error
  })
  if (problem !== null) invalid('parameters', problem)
}

export const apiTools = {
  ...rows,
  async create(ctx: Context, who: Caller, input: object): Promise<ApiToolRow> {
    await checkParameters(ctx, who, input)
    return rows.create(ctx, who, input)
  },
  async update(ctx: Context, who: Caller, id: string, input: object, ifMatch?: string): Promise<ApiToolRow> {
    await rows.get(ctx, who, id)
    await checkParameters(ctx, who, input)
    return rows.update(ctx, who, id, input, ifMatch)
  },
}

/** For imports, whose parameters are checked already. */
export const { create: createChecked, update: updateChecked } = rows

/** Validates a tool and applies defaults. */
export function checkTool(ctx: Context, next: ApiToolRow, previous: ApiToolRow | undefined): void {
  next.tools ??= null
  next.approvers = normalizeApprovers(next.approvers ?? null)
  next.approval_timeout_minutes ??= defaultApprovalMinutes
  checkAddress(ctx, next, previous)
  checkHeaders(next.headers)
  if (next.type === 'mcp') checkMcp(next)
  else checkHttp(next, previous)
}

/** Names are sorted, so that lists with the same names are equal. */
function normalizeApprovers(approvers: Partial<Approvers> | null): Approvers | null {
  if (approvers === null) return null
  const [groups, users] = [approvers.groups ?? [], approvers.users ?? []].map((names) => [...new Set(names)].sort())
  const excludes = approvers.exclude_requester === true
  if (groups?.length === 0 && users?.length === 0 && !excludes)
    invalid('approvers', 'must name at least one group or user, or exclude whoever asked (exclude_requester)')
  return { groups: groups ?? [], users: users ?? [], ...(excludes && { exclude_requester: true }) }
}

function checkHttp(next: ApiToolRow, previous: ApiToolRow | undefined): void {
  if (next.tools !== null) invalid('tools', 'is only for MCP servers')
  next.parameters ??= derivedParameters(next)
  const { type = 'object' } = next.parameters
  if (type !== 'object') invalid('parameters', 'must be a schema of type object: its properties are the arguments')
  next.parameters = { ...next.parameters, type }
  rejectUnknownNames(next)
  if (next.response_path !== null && next.response_path !== previous?.response_path) checkPath(next.response_path)
}

function checkAddress(ctx: Context, next: ApiToolRow, previous: ApiToolRow | undefined): void {
  try {
    const { origin } = splitUrl(next.url)
    if (!previous || urlOrigin(next.url) !== urlOrigin(previous.url)) ctx.egress.check(origin)
  } catch (error) {
    if (error instanceof ArgumentError) invalid('url', error.message.replace(/^url: /, ''))
    throw error
  }
  const before = [previous?.auth.token_url, previous?.auth.authorization_url]
  for (const { token_url, authorization_url } of [next.auth, ...(next.auth.additional ?? [])]) {
    for (const address of [token_url, authorization_url])
      if (address !== undefined && !before.includes(address) && /^https?:/i.test(address)) ctx.egress.check(address)
  }
}

/** An API does not say where accounts are connected; an MCP server does. */
function checkAccount({ type, auth }: ApiToolRow): void {
  if (auth.additional?.some((each) => each.type === 'oauth2'))
    invalid('auth.additional', 'cannot contain oauth2, which is the first credential')
  if (auth.type !== 'oauth2' || type === 'mcp') return
  if (auth.authorization_url === undefined) invalid('auth.authorization_url', 'is required for oauth2')
  if (auth.client_id === undefined) invalid('auth.client_id', 'is required for oauth2')
}

/** Accounts are not kept for a tool that does not use them. */
async function forgetAccounts({ tx, who, next, input, previous }: Change<ApiToolRow>): Promise<void> {
  const { client_secret } = (input.auth ?? {}) as { client_secret?: unknown }
  const isNewSecret = client_secret !== undefined
  const isSameAccount = previous?.auth.type === next.auth.type && previous.auth.account === next.auth.account
  if (isNewSecret || !isSameAccount) await forgetUnused(tx, who.workspace, next, { isNewSecret })
}

function checkHeaders(headers: Record<string, string>): void {
  checkHeaderNames(headers)
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      invalid(`headers.${name}`, 'contains characters that a header cannot contain')
  }
}

function checkMcp(next: ApiToolRow): void {
  if (usedNames(next).length > 0) invalid('url', 'of an MCP server cannot contain a {param}')
  next.parameters ??= { type: 'object', properties: {} }
  const unsupported = {
    parameters: Object.keys((next.parameters.properties as object | undefined) ?? {}).length > 0,
    query: Object.keys(next.query).length > 0,
    body: next.body !== null,
    response_path: next.response_path !== null,
  }
  for (const [field, isSet] of Object.entries(unsupported)) {
    if (isSet) invalid(field, 'is not supported for MCP servers, which describe their tools themselves')
  }
  const names = (next.tools ?? []).map(({ name }) => name)
  const repeated = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (repeated >= 0) invalid(`tools[${repeated}].name`, 'is there already; list each tool once')
}

function derivedParameters(next: ApiToolRow): Record<string, unknown> {
  const names = usedNames(next)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    ...(names.length > 0 && { required: names }),
  }
}

/** Rejects typos in templates, which would otherwise show up only when a model calls the tool. */
function rejectUnknownNames(next: ApiToolRow): void {
  const { parameters } = next
  const isOpen = ['allOf', 'anyOf', 'oneOf', '$ref', 'patternProperties'].some((key) => key in parameters)
  if (isOpen || parameters.additionalProperties === true || typeof parameters.additionalProperties === 'object') return
  const properties = (parameters.properties ?? {}) as object
  const unknown = usedNames(next).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return
  const field = pathNames(next.url).includes(unknown) ? 'url' : 'parameters'
  invalid(field, `{${unknown}} is used in a template but is not a property of parameters`)
}

function checkPath(path: string): void {
  try {
    compilePath(path)
  } catch (error) {
    invalid('response_path', `is not a valid JMESPath expression: ${reason(error).slice(0, 300)}`)
  }
}

async function rejectTakenName({ tx, who, next, previous }: Change<ApiToolRow>): Promise<void> {
  if (next.name === previous?.name) return
  await lockWorkspace(tx, who.workspace)
  const other = await tx
    .selectFrom('api_tool')
    .select('id')
    .where('workspace_id', '=', who.workspace)
    .where('name', '=', next.name)
    .where('id', '!=', next.id)
    .executeTakeFirst()
  if (other) invalid('name', `is already the name of another API tool (${other.id})`)
}
