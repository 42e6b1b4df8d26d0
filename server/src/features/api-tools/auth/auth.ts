import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Change } from '../../../kernel/store/collection.ts'
import type { Stored } from '../../../kernel/store/table.ts'
import { type ApiTool, type Auth, authParts, type GivenAuth, type SecretPart } from '../schema.ts'

export interface Hidden extends Record<string, unknown> {
  /** The secrets of `auth`, as encrypted JSON. */
  auth_sealed: string | null
  /** The hash of its document and operation, which the next import finds it by. */
  source_key: string | null
}
export type ApiToolRow = Stored<ApiTool & Hidden>

export type AuthSecrets = { [part in SecretPart]?: string }

const place = (workspace: string, id: string): string => `${workspace} api_tool ${id} auth`

export function openSecrets(ctx: Pick<Context, 'secrets'>, workspace: string, tool: ApiToolRow): AuthSecrets {
  if (tool.auth_sealed === null) return {}
  return JSON.parse(ctx.secrets.open(tool.auth_sealed, place(workspace, tool.id))) as AuthSecrets
}

export const originOf = (url: string): string => {
  const origin = /^https?:\/\/[^/?#{}\s\\]+/i.exec(url)?.[0] ?? ''
  return URL.canParse(origin) ? new URL(origin).origin : url
}

/** Splits `auth` into its readable part and its sealed secrets. Secrets that are left out stay as they were. */
export function settleAuth({ ctx, who, next, given, previous }: Change<ApiToolRow>): void {
  const wanted = given.auth as GivenAuth | undefined
  const before = previous?.auth.type === next.auth.type ? previous : undefined
  const secrets: AuthSecrets = before ? openSecrets(ctx, who.workspace, before) : {}
  const parts = authParts[next.auth.type]
  const auth = openPart(next.auth)
  checkOpen(auth)
  const moved =
    before &&
    (originOf(before.url) !== originOf(next.url) ||
      originOrEmpty(before.auth.token_url) !== originOrEmpty(auth.token_url))
  for (const part of parts.secret) {
    const sent = wanted ? secretIn(wanted, part) : undefined
    if (moved && sent === undefined && secrets[part] !== undefined) {
      invalid(`auth.${part}`, 'must be sent again when the address changes: a secret is never sent to a new address')
    }
    if (sent === null) delete secrets[part]
    else if (sent !== undefined) secrets[part] = checkSecret(part, sent)
    auth[`${part}_set`] = secrets[part] !== undefined
  }
  if (wanted) rejectForeignFields(wanted)
  next.auth = auth
  next.auth_sealed = sealed(ctx, who.workspace, next.id, secrets, previous)
}

const originOrEmpty = (url: string | undefined): string => (url === undefined ? '' : originOf(url))

/** Unchanged secrets keep their ciphertext, so that an update without changes stays one. */
function sealed(
  ctx: Context,
  workspace: string,
  id: string,
  secrets: AuthSecrets,
  previous: ApiToolRow | undefined,
): string | null {
  const text = JSON.stringify(secrets)
  if (text === '{}') return null
  if (previous && JSON.stringify(openSecrets(ctx, workspace, previous)) === text) return previous.auth_sealed
  return ctx.secrets.seal(text, place(workspace, id))
}

function secretIn(auth: GivenAuth, part: SecretPart): string | null | undefined {
  return part === 'value' && auth.value === undefined ? auth.key : auth[part]
}

function openPart(auth: Auth): Auth {
  const open = Object.fromEntries(
    authParts[auth.type].open.flatMap((part) => (auth[part] === undefined ? [] : [[part, auth[part]]])),
  )
  const usual = auth.type === 'api_key' ? { in: 'header' as const, name: 'X-API-Key' } : {}
  return { type: auth.type, ...usual, ...open }
}

function checkOpen(auth: Auth): void {
  if (auth.type === 'api_key' && auth.in !== 'query' && !isHeaderName(auth.name ?? ''))
    invalid('auth.name', 'is not a valid header name')
  if (auth.username?.includes(':')) invalid('auth.username', 'must not contain a colon')
  if (auth.type !== 'oauth2_client_credentials') return
  if (auth.token_url === undefined) invalid('auth.token_url', 'is required for oauth2_client_credentials')
  if (!/^https?:\/\//i.test(auth.token_url) || !URL.canParse(auth.token_url))
    invalid('auth.token_url', 'must be an http or https URL')
}

function checkSecret(part: SecretPart, value: string): string {
  const isHeaderValue = part === 'token' || part === 'value'
  if (isHeaderValue && !/^[\x20-\x7e]+$/.test(value))
    invalid(`auth.${part}`, 'must be printable ASCII, because it is sent in a header')
  return value.toWellFormed()
}

/** A field of another type would be dropped silently. */
function rejectForeignFields(auth: GivenAuth): void {
  const { open, secret } = authParts[auth.type]
  const own: readonly string[] = ['type', 'key', ...open, ...secret]
  const foreign = Object.keys(auth).find((part) => !own.includes(part) && !part.endsWith('_set'))
  if (foreign !== undefined && auth[foreign as SecretPart] !== null)
    invalid(`auth.${foreign}`, `is not a field of type ${auth.type}`)
}

const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name) && !isManaged(name)

const managed = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const isManaged = (name: string): boolean => managed.has(name.toLowerCase()) || /^(proxy|sec)-/i.test(name)

export function checkHeaderNames(headers: Record<string, string>): void {
  for (const name of Object.keys(headers)) {
    if (isManaged(name)) invalid(`headers.${name}`, 'is set by the service')
    if (!isHeaderName(name)) invalid(`headers.${name}`, 'is not a valid header name')
  }
}
