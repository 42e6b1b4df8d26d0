import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { sealedColumn } from '../../../kernel/secrets/sealed.ts'
import type { Change } from '../../../kernel/store/collection.ts'
import type { Stored } from '../../../kernel/store/table.ts'
import { type ApiTool, type Auth, type AuthInput, authParts, type SecretPart } from '../schema.ts'

export interface Hidden extends Record<string, unknown> {
  /** The secrets of `auth`, as encrypted JSON. */
  auth_sealed: string | null
  /** The hash of its document and operation, by which the next import finds it. */
  source_key: string | null
}
export type ApiToolRow = Stored<ApiTool & Hidden>

export type AuthSecrets = { [part in SecretPart]?: string } & { additional?: AuthSecrets[] }

const sealContext = (workspace: unknown, id: unknown): string => `${workspace} api_tool ${id} auth`

export const sealedAuth = sealedColumn('api_tool', 'auth_sealed', (row) => sealContext(row.workspace_id, row.id))

export function openSecrets(ctx: Pick<Context, 'secrets'>, workspace: string, tool: ApiToolRow): AuthSecrets {
  if (tool.auth_sealed === null) return {}
  return JSON.parse(ctx.secrets.open(tool.auth_sealed, sealContext(workspace, tool.id))) as AuthSecrets
}

export const urlOrigin = (url: string): string => {
  const origin = /^https?:\/\/[^/?#{}\s\\]+/i.exec(url)?.[0] ?? ''
  return URL.canParse(origin) ? new URL(origin).origin : url
}

/** Splits `auth` into its readable part and its sealed secrets. Secrets that are left out stay as they were. */
export function settleAuth({ ctx, who, next, input, previous }: Change<ApiToolRow>): void {
  const wanted = input.auth as AuthInput | undefined
  const stored = previous ? openSecrets(ctx, who.workspace, previous) : {}
  const isMoved = previous !== undefined && urlOrigin(previous.url) !== urlOrigin(next.url)
  const isKept = previous?.auth.type === next.auth.type
  const first = settled(
    'auth',
    next.auth,
    wanted,
    isKept ? { auth: previous.auth, secrets: stored } : undefined,
    isMoved,
  )
  const more = (next.auth.additional ?? []).map((auth, index) => {
    const previousIndex = previous?.auth.additional?.findIndex((each) => isSameCredential(each, auth)) ?? -1
    const known = previous?.auth.additional?.[previousIndex]
    const before = known && { auth: known, secrets: stored.additional?.[previousIndex] ?? {} }
    return settled(`auth.additional.${index}`, auth, wanted?.additional?.[index], before, isMoved)
  })
  rejectSameLocation([first, ...more].map(({ auth }) => auth))
  const hasMore = more.length > 0
  next.auth = { ...first.auth, ...(hasMore && { additional: more.map(({ auth }) => auth) }) }
  const secrets = { ...first.secrets, ...(hasMore && { additional: more.map((each) => each.secrets) }) }
  next.auth_sealed = sealed(ctx, who.workspace, next.id, secrets, previous)
}

interface Credential {
  auth: Auth
  secrets: AuthSecrets
}

function settled(
  path: string,
  next: Auth,
  input: AuthInput | undefined,
  before: Credential | undefined,
  isMoved: boolean,
): Credential {
  const auth = openPart(next)
  const secrets: AuthSecrets = {}
  checkOpen(path, auth)
  const moved = before && (isMoved || originOrEmpty(before.auth.token_url) !== originOrEmpty(auth.token_url))
  for (const part of authParts[auth.type].secret) {
    const kept = before?.secrets[part]
    const sent = input ? secretIn(input, part) : undefined
    if (moved && sent === undefined && kept !== undefined) {
      invalid(`${path}.${part}`, 'must be sent again when the address changes: a secret is never sent to a new address')
    }
    const value = sent === undefined ? kept : sent
    if (value !== undefined && value !== null)
      secrets[part] = sent === undefined ? value : checkSecret(path, part, value)
    auth[`${part}_set`] = secrets[part] !== undefined
  }
  if (input) rejectForeignFields(path, input)
  return { auth, secrets }
}

const isSameCredential = (one: Auth, other: Auth): boolean => {
  const [before, after] = [openPart(one), openPart(other)]
  return before.type === after.type && before.in === after.in && before.name === after.name
}

/** The header or parameter that a credential is sent in. */
const credentialLocation = ({ type, in: location, name = '' }: Auth): string =>
  type === 'none'
    ? ''
    : type === 'api_key'
      ? `${location} ${location === 'query' ? name : name.toLowerCase()}`
      : 'header authorization'

function rejectSameLocation(all: Auth[]): void {
  const locations = all.map(credentialLocation)
  const index = locations.findIndex((location, at) => location !== '' && locations.indexOf(location) < at)
  if (index > 0) invalid(`auth.additional.${index - 1}`, 'is sent in the same place as another credential')
}

const originOrEmpty = (url: string | undefined): string => (url === undefined ? '' : urlOrigin(url))

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
  return ctx.secrets.seal(text, sealContext(workspace, id))
}

function secretIn(auth: AuthInput, part: SecretPart): string | null | undefined {
  return part === 'value' && auth.value === undefined ? auth.key : auth[part]
}

function openPart(auth: Auth): Auth {
  const open = Object.fromEntries(
    authParts[auth.type].open.flatMap((part) => (auth[part] === undefined ? [] : [[part, auth[part]]])),
  )
  const usual =
    auth.type === 'api_key'
      ? { in: 'header' as const, name: 'X-API-Key' }
      : auth.type === 'oauth2'
        ? { account: 'user' as const }
        : {}
  return { type: auth.type, ...usual, ...open }
}

function checkOpen(path: string, auth: Auth): void {
  if (auth.type === 'api_key' && auth.in !== 'query' && !isHeaderName(auth.name ?? ''))
    invalid(`${path}.name`, 'is not a valid header name')
  if (auth.username?.includes(':')) invalid(`${path}.username`, 'must not contain a colon')
  if (auth.type === 'oauth2') checkAddresses(path, auth)
  if (auth.type !== 'oauth2_client_credentials') return
  if (auth.token_url === undefined) invalid(`${path}.token_url`, 'is required for oauth2_client_credentials')
  if (!/^https?:\/\//i.test(auth.token_url) || !URL.canParse(auth.token_url))
    invalid(`${path}.token_url`, 'must be an http or https URL')
}

function checkAddresses(path: string, auth: Auth): void {
  for (const field of ['authorization_url', 'token_url'] as const) {
    const url = auth[field]
    if (url !== undefined && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
      invalid(`${path}.${field}`, 'must be an http or https URL')
  }
  if ((auth.authorization_url === undefined) !== (auth.token_url === undefined))
    invalid(`${path}.token_url`, 'and authorization_url are given together')
}

function checkSecret(path: string, part: SecretPart, value: string): string {
  const isHeaderValue = part === 'token' || part === 'value'
  if (isHeaderValue && !/^[\x20-\x7e]+$/.test(value))
    invalid(`${path}.${part}`, 'must be printable ASCII, because it is sent in a header')
  return value.toWellFormed()
}

/** A field of another type would be dropped silently. */
function rejectForeignFields(path: string, auth: AuthInput): void {
  const { open, secret } = authParts[auth.type]
  const own: readonly string[] = ['type', 'key', 'additional', ...open, ...secret]
  const foreign = Object.keys(auth).find((part) => !own.includes(part) && !part.endsWith('_set'))
  if (foreign !== undefined && auth[foreign as SecretPart] !== null)
    invalid(`${path}.${foreign}`, `is not a field of type ${auth.type}`)
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
