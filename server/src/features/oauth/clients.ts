import { LRUCache } from 'lru-cache'
import type { Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/is-object.ts'
import { minute, second } from '../../kernel/time.ts'
import { OAuthProblem } from './errors.ts'
import { redirectHost, requireRedirectUri } from './redirects.ts'

/** A program that asks for access on behalf of a person. */
export interface Client {
  id: string
  name: string
  redirectUris: string[]
  /** The host that vouches for the client: that of its metadata document. Null if the client registered itself. */
  host: string | null
}

export type ClientDocuments = LRUCache<string, Client>

export const createClientDocuments = (): ClientDocuments => new LRUCache({ max: 1000, ttl: 10 * minute })

const context = 'oauth client'
const maxNameLength = 100
const maxRedirectUris = 20
const maxDocumentBytes = 10 * 1024

/**
 * Registers a client (RFC 7591). Its ID is its registration, sealed: anybody may register, so nothing is stored, and every
 * node knows the client.
 */
export function registerClient({ secrets }: Context, metadata: unknown) {
  const { name, redirectUris } = readMetadata(metadata)
  return { id: secrets.seal(JSON.stringify([name, redirectUris]), context), name, redirectUris }
}

/** The client with this ID: the address of its metadata document, or the ID from its registration. */
export const findClient = (ctx: Context, id: string): Promise<Client> | Client =>
  /^https:/i.test(id) ? findDocument(ctx, id) : openRegistration(ctx, id)

function openRegistration({ secrets }: Context, id: string): Client {
  try {
    const [name, redirectUris] = JSON.parse(secrets.open(id, context)) as [string, string[]]
    return { id, name, redirectUris, host: null }
  } catch {
    throw unknownClient('Register it again.')
  }
}

async function findDocument(ctx: Context, id: string): Promise<Client> {
  const { documents } = ctx.state.oauth
  const known = documents.get(id)
  if (known) return known
  const { pathname, hash, username, host, href } = URL.canParse(id) ? new URL(id) : unknownAddress()
  if (href !== id || pathname === '/' || hash !== '' || username !== '') unknownAddress()
  const document = await fetchDocument(ctx, id)
  if (!isObject(document) || document.client_id !== id)
    throw unknownClient('Its metadata document does not have this address as client_id.')
  const client = { id, host, ...readMetadata(document) }
  documents.set(id, client)
  return client
}

async function fetchDocument({ egress, log }: Context, address: string): Promise<unknown> {
  try {
    const limits = { maxBytes: maxDocumentBytes, timeout: 5 * second }
    const { status, body } = await egress.request(address, { ...limits, headers: { accept: 'application/json' } })
    if (status !== 200) throw new Error(`The response has the status ${status}.`)
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    log.info({ reason: reason(error), address }, 'a client metadata document could not be read')
    // Only what the egress guard says is for the caller: other errors could describe a foreign service.
    const why = error instanceof Problem && error.code === 'egress_blocked' ? error.message : 'It must be public JSON.'
    throw unknownClient(`Its metadata document could not be read. ${why}`)
  }
}

const unknownClient = (why: string) => new OAuthProblem('invalid_client', `This client is not known. ${why}`)

function unknownAddress(): never {
  throw unknownClient('The address of a metadata document has a path, and no fragment, user name or dots in its path.')
}

function readMetadata(metadata: unknown): Pick<Client, 'name' | 'redirectUris'> {
  if (!isObject(metadata)) throw new OAuthProblem('invalid_client_metadata', 'Send the metadata as a JSON object.')
  const { redirect_uris: uris, client_name: name, grant_types: grants } = metadata
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris)
    throw new OAuthProblem('invalid_redirect_uri', `redirect_uris has 1 to ${maxRedirectUris} addresses.`)
  for (const uri of uris) requireRedirectUri(uri)
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes('authorization_code')))
    throw new OAuthProblem('invalid_client_metadata', 'grant_types must have authorization_code.')
  const redirectUris = uris as string[]
  return { name: readableName(name) ?? redirectHost(redirectUris[0] as string), redirectUris }
}

/** Without control and formatting characters, which could make a name read as another one. */
function readableName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  return (
    name
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, maxNameLength)
      .trim() || null
  )
}
