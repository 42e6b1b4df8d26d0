import { compile as compilePath } from '@jmespath-community/jmespath'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, reason } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import { isPostgres } from '../../kernel/store/database.ts'
import { type ApiToolRow, checkHeaderNames, type Hidden, originOf, settleAuth } from './auth/auth.ts'
import { partsOf, pathNames, usedNames } from './request/build.ts'
import { ArgumentError } from './request/template.ts'
import { ThreadError } from './sandbox/thread.ts'
import { ApiTool } from './schema.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    api_tool: {
      id: string
      workspace_id: string
      name: string
      source_key: string | null
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
    checkTool(change.ctx, next, previous)
    settleAuth(change)
    await refuseTakenName(change)
  },
})

const largestSchema = 128 * 1024

/** Schemas are tried out in a thread of their own, before a transaction holds anything up. */
async function checkParameters(ctx: Context, given: { parameters?: unknown }): Promise<void> {
  if (given.parameters === undefined) return
  const schema = JSON.stringify(given.parameters)
  if (schema.length > largestSchema) invalid('parameters', `is larger than ${largestSchema / 1024} KiB`)
  const problem = await ctx.state['api-tools'].threads.quick.run('checkSchema', { schema }).catch((error) => {
    if (error instanceof ThreadError) return `cannot be checked: ${error.message}`
    throw error
  })
  if (problem !== null) invalid('parameters', problem)
}

export const apiTools = {
  ...rows,
  async create(ctx: Context, who: Caller, given: object): Promise<ApiToolRow> {
    await checkParameters(ctx, given)
    return rows.create(ctx, who, given)
  },
  async update(ctx: Context, who: Caller, id: string, given: object, ifMatch?: string): Promise<ApiToolRow> {
    await rows.get(ctx, who, id)
    await checkParameters(ctx, given)
    return rows.update(ctx, who, id, given, ifMatch)
  },
}

/** For those who have checked the parameters themselves, and write many in one transaction. */
export const { create: createChecked, update: updateChecked } = rows

/** What must hold for a tool by itself; fills in what was left out. */
export function checkTool(ctx: Context, next: ApiToolRow, previous: ApiToolRow | undefined): void {
  checkAddress(ctx, next, previous)
  checkHeaders(next.headers)
  if (next.type === 'mcp') checkMcp(next)
  else checkHttp(next, previous)
}

function checkHttp(next: ApiToolRow, previous: ApiToolRow | undefined): void {
  next.parameters ??= derivedParameters(next)
  const { type = 'object' } = next.parameters
  if (type !== 'object') invalid('parameters', 'must describe an object: its properties are the arguments')
  next.parameters = { ...next.parameters, type }
  refuseUnknownNames(next)
  if (next.response_path !== null && next.response_path !== previous?.response_path) checkPath(next.response_path)
}

function checkAddress(ctx: Context, next: ApiToolRow, previous: ApiToolRow | undefined): void {
  try {
    const { origin } = partsOf(next.url)
    if (!previous || originOf(next.url) !== originOf(previous.url)) ctx.egress.check(origin)
  } catch (error) {
    if (error instanceof ArgumentError) invalid('url', error.message.replace(/^url: /, ''))
    throw error
  }
  const { token_url: tokenUrl } = next.auth
  if (tokenUrl !== undefined && tokenUrl !== previous?.auth.token_url && /^https?:/i.test(tokenUrl))
    ctx.egress.check(tokenUrl)
}

function checkHeaders(headers: Record<string, string>): void {
  checkHeaderNames(headers)
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) invalid(`headers.${name}`, 'holds characters that a header cannot carry')
  }
}

function checkMcp(next: ApiToolRow): void {
  if (usedNames(next).length > 0) invalid('url', 'of an MCP server cannot have a {param}')
  next.parameters ??= { type: 'object', properties: {} }
  const meaningless = {
    parameters: Object.keys((next.parameters.properties as object | undefined) ?? {}).length > 0,
    query: Object.keys(next.query).length > 0,
    body: next.body !== null,
    response_path: next.response_path !== null,
  }
  for (const [field, isGiven] of Object.entries(meaningless)) {
    if (isGiven) invalid(field, 'has no meaning for an MCP server, which describes its tools itself')
  }
}

function derivedParameters(next: ApiToolRow): Record<string, unknown> {
  const names = usedNames(next)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    ...(names.length > 0 && { required: names }),
  }
}

/** A typing error in a template would otherwise only show when a model calls the tool. */
function refuseUnknownNames(next: ApiToolRow): void {
  const { parameters } = next
  const isOpen = ['allOf', 'anyOf', 'oneOf', '$ref', 'patternProperties'].some((key) => key in parameters)
  if (isOpen || parameters.additionalProperties === true || typeof parameters.additionalProperties === 'object') return
  const properties = (parameters.properties ?? {}) as object
  const unknown = usedNames(next).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return
  const field = pathNames(next.url).includes(unknown) ? 'url' : 'parameters'
  invalid(field, `{${unknown}} is used in a template, but is not one of the properties of parameters`)
}

function checkPath(path: string): void {
  try {
    compilePath(path)
  } catch (error) {
    invalid('response_path', `is not a JMESPath expression: ${reason(error).slice(0, 300)}`)
  }
}

/** On SQLite only one writes at a time; on Postgres those that give names in one workspace take turns. */
async function refuseTakenName({ tx, who, next, previous }: Change<ApiToolRow>): Promise<void> {
  if (next.name === previous?.name) return
  if (isPostgres(tx)) {
    await tx.selectFrom('workspace').select('id').where('id', '=', who.workspace).forNoKeyUpdate().execute()
  }
  const other = await tx
    .selectFrom('api_tool')
    .select('id')
    .where('workspace_id', '=', who.workspace)
    .where('name', '=', next.name)
    .where('id', '!=', next.id)
    .executeTakeFirst()
  if (other) invalid('name', `is the name of another API tool already (${other.id}); models tell tools apart by name`)
}
