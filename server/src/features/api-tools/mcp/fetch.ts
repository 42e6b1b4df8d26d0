import type { Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import { type ApiToolRow, originOf } from '../auth/auth.ts'
import { type Credentials, credentialsOf } from '../auth/credentials.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** The way out for the client of a server: guarded, with the tool's credentials, and bounded in size. */
export function guardedFetch(ctx: Context, workspace: string, tool: ApiToolRow, masks: Masks): Fetch {
  const send = async (url: URL, init: RequestInit, { headers, query }: Credentials): Promise<Response> => {
    const full = new URL(url)
    for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value)
    const all = { ...Object.fromEntries(new Headers(init.headers)), ...headers }
    return ctx.egress.fetch(full, { ...init, headers: all })
  }
  return async (address, init = {}) => {
    const url = new URL(address)
    if (url.origin !== originOf(tool.url)) throw new EgressError('connection', 'The server points to another address.')
    const credentials = (renew: boolean) => credentialsOf(ctx, workspace, tool, { timeout: tool.timeout_ms, renew })
    let own = await credentials(false)
    masks.addAll(own.masks)
    let answer = await send(url, init, own)
    if (answer.status === 401 && own.renewable) {
      await answer.body?.cancel()
      own = await credentials(true)
      masks.addAll(own.masks)
      answer = await send(url, init, own)
    }
    return bounded(answer, tool.max_response_bytes)
  }
}

function bounded(answer: Response, mostBytes: number): Response {
  if (answer.body === null) return answer
  let size = 0
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        size += piece.byteLength
        if (size > mostBytes)
          controller.error(new EgressError('too_large', `The answer is larger than ${mostBytes} bytes.`))
        else controller.enqueue(piece)
      },
    }),
  )
  return new Response(counted, {
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers),
  })
}
