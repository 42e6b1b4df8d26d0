import { STATUS_CODES } from 'node:http'
import type { Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { challengedScopes, NotConnected, usesAccount } from '../accounts/accounts.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { type Credentials, openCredentials } from '../auth/credentials.ts'
import { CallError, InvalidArguments } from '../errors.ts'
import type { TestResult } from '../schema.ts'
import { type CheckedArguments, checkArguments, uncheckable } from './arguments.ts'
import { buildRequest, type Call } from './build.ts'
import { readResponse } from './response.ts'
import { ArgumentError, type Arguments } from './template.ts'

interface CallOptions {
  signal?: AbortSignal | undefined
  traceparent?: string | null | undefined
  /** The person whose account the call uses. */
  userId?: string | null
}

/** Calls the API. Throws only for invalid arguments and accounts that are not connected; all other failures are in the result. */
export async function callTool(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  args: Arguments,
  { signal, traceparent, userId = null }: CallOptions = {},
): Promise<TestResult> {
  const since = performance.now()
  const work = { workspace, until: since + tool.timeout_ms, signal }
  let checked: CheckedArguments
  try {
    checked = await checkArguments(ctx, tool.parameters, args, work)
    if (checked.problem !== null) throw uncheckable(checked.problem)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const request = { method: tool.method, url: tool.url, headers: {} }
    return {
      ok: false,
      request,
      status: null,
      headers: {},
      body: null,
      latency_ms: elapsed(since),
      error: performance.now() < work.until ? error.message : tooLate(tool),
    }
  }
  const { declared, dropped } = checked
  const request = requestFor(ctx, tool, declared)
  if (traceparent && !request.headers.has('traceparent')) request.headers.set('traceparent', traceparent)
  const options = () => ({
    timeout: Math.max(1, Math.ceil(work.until - performance.now())),
    userId,
    ...(signal && { signal }),
  })
  let credentials: Credentials = { headers: {}, query: {}, masks: new Masks(), renewable: false }
  const result = (rest: Partial<TestResult>): TestResult => ({
    ok: rest.error === undefined,
    request: shownRequest(request, credentials),
    status: null,
    headers: {},
    body: null,
    latency_ms: elapsed(since),
    ...(dropped.length > 0 && { dropped_arguments: dropped }),
    ...rest,
  })
  try {
    credentials = await openCredentials(ctx, workspace, tool, options())
    let answer = await send(ctx, tool, request, credentials, options())
    if (answer.status === 401 && credentials.renewable) {
      const earlier = credentials.masks
      credentials = await openCredentials(ctx, workspace, tool, { ...options(), renew: true })
      credentials.masks.addAll(earlier)
      answer = await send(ctx, tool, request, credentials, options())
    }
    const scopes =
      answer.status === 403 && usesAccount(tool) ? challengedScopes(answer.headers['www-authenticate']) : null
    if (scopes !== null) await ctx.state['api-tools'].accounts.requireScopes(workspace, tool, userId, scopes)
    const { masks } = credentials
    const { body, error } = await readResponse(ctx, tool, answer, masks, work)
    const seen = { status: answer.status, headers: masks.hideHeaders(Object.entries(answer.headers)), body }
    if (error !== undefined && performance.now() >= work.until) return result({ ...seen, error: tooLate(tool) })
    const failure = answer.status >= 300 ? statusError(answer.status, seen.headers.location) : error
    return result({ ...seen, ...(failure !== undefined && { error: failure }) })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof NotConnected) throw error
    return result({ error: credentials.masks.hide(messageFor(error, ctx, tool)) })
  }
}

const tooLate = (tool: ApiToolRow): string => `The call did not finish within ${tool.timeout_ms} ms (timeout_ms).`

const elapsed = (since: number): number => Math.round(performance.now() - since)

function requestFor(ctx: Context, tool: ApiToolRow, args: Arguments): Call {
  try {
    const request = buildRequest(tool, args)
    if (!request.headers.has('accept')) request.headers.set('accept', 'application/json, */*;q=0.5')
    if (!request.headers.has('user-agent')) request.headers.set('user-agent', `Parley/${ctx.version}`)
    return request
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw new InvalidArguments([{ path: error.argument, message: error.message.slice(error.argument.length + 2) }])
  }
}

function send(
  ctx: Context,
  tool: ApiToolRow,
  { method, url, headers, body }: Call,
  credentials: Credentials,
  options: { timeout: number; signal?: AbortSignal },
) {
  return ctx.egress.request(withQuery(url, credentials.query), {
    method,
    headers: { ...Object.fromEntries(headers), ...credentials.headers },
    ...(body !== undefined && { body }),
    ...options,
    maxBytes: tool.max_response_bytes,
  })
}

/** Sets query parameters. A credential replaces arguments of the same name. */
export function withQuery(url: URL, query: Record<string, string>): string {
  const names = Object.keys(query)
  if (names.length === 0) return url.href
  const full = new URL(url)
  const kept = full.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.includes(decodeURIComponent(pair.split('=')[0] ?? '')))
  const added = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  full.search = [...kept, ...added].join('&')
  return full.href
}

function shownRequest({ method, url, headers }: Call, credentials: Credentials): TestResult['request'] {
  const { masks } = credentials
  const hidden = Object.fromEntries(Object.keys(credentials.query).map((name) => [name, '****']))
  const sent = new Map([...headers, ...Object.entries(credentials.headers)])
  return {
    method,
    url: masks.hide(withQuery(url, hidden)),
    headers: masks.hideHeaders(sent, Object.keys(credentials.headers)),
  }
}

function statusError(status: number, location: string | undefined): string {
  const words = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  if (status < 400)
    return `The API answered ${words}${location === undefined ? '' : `, a redirect to ${location.slice(0, 300)}`}. Redirects are not followed: use the final URL.`
  return `The API answered ${words}.`
}

function messageFor(error: unknown, ctx: Context, tool: ApiToolRow): string {
  if (error instanceof CallError) return error.message
  if (error instanceof Problem) return error.message
  if (error instanceof EgressError) {
    if (error.kind === 'timeout') return `The API did not answer within ${tool.timeout_ms} ms (timeout_ms).`
    if (error.kind === 'too_large')
      return `The response of the API is larger than ${tool.max_response_bytes} bytes (max_response_bytes).`
    return error.message
  }
  ctx.log.error({ err: error, tool: tool.id }, 'API tool call failed')
  return `The call failed: ${reason(error)}`
}
