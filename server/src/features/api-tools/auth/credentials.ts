import type { Context } from '../../../kernel/context.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { CallError } from '../errors.ts'
import type { Auth } from '../schema.ts'
import { type ApiToolRow, type AuthSecrets, openSecrets } from './auth.ts'
import { basicCredentials, formCredentials, type TokenRequest } from './token-cache.ts'

export interface Credentials {
  headers: Record<string, string>
  query: Record<string, string>
  masks: Masks
  /** Whether a rejected token can be replaced by a new one. */
  renewable: boolean
}

export async function openCredentials(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  options: { timeout: number; signal?: AbortSignal; renew?: boolean; userId?: string | null },
): Promise<Credentials> {
  const { additional: more = [], ...first } = openSecrets(ctx, workspace, tool)
  const masks = new Masks()
  for (const secrets of [first, ...more]) masks.add(...Object.values(secrets as Record<string, string>))
  const credentials: Credentials = { headers: {}, query: {}, masks, renewable: false }
  const key = `${workspace} ${tool.id} ${tool.revision}`
  if (tool.auth.type === 'oauth2') await addAccount(ctx, workspace, tool, credentials, options)
  else await addCredential(ctx, credentials, { auth: tool.auth, secrets: first, path: 'auth', key }, options)
  for (const [index, auth] of (tool.auth.additional ?? []).entries()) {
    const path = `auth.additional.${index}`
    await addCredential(ctx, credentials, { auth, secrets: more[index] ?? {}, path, key: `${key} ${index}` }, options)
  }
  return credentials
}

/** The access token of a connected account. Fails with `NotConnected` if there is none. */
async function addAccount(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  credentials: Credentials,
  { userId = null, renew = false }: { userId?: string | null; renew?: boolean },
): Promise<void> {
  const token = await ctx.state['api-tools'].accounts.token(workspace, tool, userId, { renew })
  credentials.masks.add(token)
  credentials.masks.addAfter(['Bearer '], token)
  credentials.headers.authorization = `Bearer ${token}`
  credentials.renewable = true
}

interface Credential {
  auth: Auth
  secrets: AuthSecrets
  path: string
  /** Identifies its token in the cache. */
  key: string
}

async function addCredential(
  ctx: Context,
  credentials: Credentials,
  { auth, secrets, path, key }: Credential,
  options: { timeout: number; renew?: boolean },
): Promise<void> {
  const { masks } = credentials
  const need = (value: string | undefined, part: string): string => {
    if (value === undefined) throw new CallError(`The tool cannot be called yet: its ${path}.${part} is not set.`)
    return value
  }
  if (auth.type === 'bearer') {
    const token = need(secrets.token, 'token')
    masks.addAfter(['Bearer '], token)
    credentials.headers.authorization = `Bearer ${token}`
  }
  if (auth.type === 'api_key') {
    const value = need(secrets.value, 'value')
    const { name = '' } = auth
    masks.addAfter([`${name}=`, `${name}: `, `${name.toLowerCase()}=`, `${name.toLowerCase()}: `], value)
    if (auth.in === 'query') credentials.query[name] = value
    else credentials.headers[name.toLowerCase()] = value
  }
  if (auth.type === 'basic') {
    const username = need(auth.username, 'username')
    const password = need(secrets.password, 'password')
    const encoded = basicCredentials(username, password)
    masks.addAfter([`${username}:`], password)
    masks.add(encoded)
    credentials.headers.authorization = `Basic ${encoded}`
  }
  if (auth.type === 'oauth2_client_credentials') {
    const request: TokenRequest = {
      url: need(auth.token_url, 'token_url'),
      clientId: need(auth.client_id, 'client_id'),
      clientSecret: need(secrets.client_secret, 'client_secret'),
      scope: auth.scope,
    }
    masks.addAfter([`${request.clientId}:`, 'client_secret='], request.clientSecret)
    masks.add(basicCredentials(request.clientId, request.clientSecret), formCredentials(request))
    const { timeout, renew = false } = options
    const token = await ctx.state['api-tools'].tokens.get(key, { request, masks, timeout }, { renew })
    masks.add(token)
    masks.addAfter(['Bearer '], token)
    credentials.headers.authorization = `Bearer ${token}`
    credentials.renewable = true
  }
}
