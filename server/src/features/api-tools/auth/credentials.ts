import type { Context } from '../../../kernel/context.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { CallError } from '../errors.ts'
import { type ApiToolRow, openSecrets } from './auth.ts'
import { basicCredentials, formCredentials, type TokenRequest } from './token-cache.ts'

export interface Credentials {
  headers: Record<string, string>
  query: Record<string, string>
  masks: Masks
  /** Whether a rejected token can be replaced by a new one. */
  renewable: boolean
}

export async function credentialsOf(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  options: { timeout: number; signal?: AbortSignal; renew?: boolean },
): Promise<Credentials> {
  const secrets = openSecrets(ctx, workspace, tool)
  const { auth } = tool
  const masks = new Masks()
  masks.add(...Object.values(secrets))
  const credentials: Credentials = { headers: {}, query: {}, masks, renewable: false }
  const need = (value: string | undefined, part: string): string => {
    if (value === undefined) throw new CallError(`The tool cannot be called yet: its auth.${part} is not set.`)
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
    const key = `${workspace} ${tool.id} ${tool.revision}`
    const token = await ctx.state['api-tools'].tokens.get(key, { request, masks, timeout }, { renew })
    masks.add(token)
    masks.addAfter(['Bearer '], token)
    credentials.headers.authorization = `Bearer ${token}`
    credentials.renewable = true
  }
  return credentials
}
