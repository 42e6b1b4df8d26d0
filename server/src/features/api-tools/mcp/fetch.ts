import type { Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import { challengedScopes, usesAccount } from '../accounts/accounts.ts'
import { type ApiToolRow, urlOrigin } from '../auth/auth.ts'
import { type Credentials, openCredentials } from '../auth/credentials.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** A fetch for the MCP client: through egress, with the tool's credentials, and limited in size. */
export function guardedFetch(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  userId: string | null,
  masks: Masks,
): Fetch {
  const send = async (url: URL, init: RequestInit, { headers, query }: Credentials): Promise<Response> => {
    const full = new URL(url)
    for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value)
    const all = { ...Object.fromEntries(new Headers(init.headers)), ...headers }
    return ctx.egress.fetch(full, { ...init, headers: all })
  }
  return async (address, init = {}) => {
    const url = new URL(address)
    if (url.origin !== urlOrigin(tool.url))
      throw new EgressError('connection', 'The server redirects to another origin.')
    const credentials = (renew: boolean) =>
      openCredentials(ctx, workspace, tool, { timeout: tool.timeout_ms, renew, userId })
    let own = await credentials(false)
    masks.addAll(own.masks)
    let answer = await send(url, init, own)
    if (answer.status === 401 && own.renewable) {
      await answer.body?.cancel()
      own = await credentials(true)
      masks.addAll(own.masks)
      answer = await send(url, init, own)
    }
    const scopes =
      answer.status === 403 && usesAccount(tool) ? challengedScopes(answer.headers.get('www-authenticate')) : null
    if (scopes !== null) {
      await answer.body?.cancel()
      await ctx.state['api-tools'].accounts.requireScopes(workspace, tool, userId, scopes)
    }
    return limitSize(answer, tool.max_response_bytes)
  }
}

function limitSize(answer: Response, maxBytes: number): Response {
  if (answer.body === null) return answer
  let size = 0
  const limited = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength
        if (size > maxBytes)
          controller.error(new EgressError('too_large', `The answer is larger than ${maxBytes} bytes.`))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(limited, {
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers),
  })
}
