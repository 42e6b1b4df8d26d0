import type { Context } from '../../kernel/context.ts'
import type { Reply, Request } from '../../kernel/http/app.ts'
import { minute, second, timestamp } from '../../kernel/time.ts'
import type { LoginChecks } from './grant.ts'

/** A sign-in that waits for the provider. It is kept in the browser, so that it can end on any node. */
export interface PendingLogin extends LoginChecks {
  returnTo: string
  /** In milliseconds. */
  expiresAt: number
}

const prefix = 'parley_login_'
const path = '/api/auth'
const validFor = 10 * minute
/** Several tabs can sign in at once, but more cookies would make the headers too large. */
const maxPending = 5
const context = 'sign-in'

/** Each sign-in has its own cookie, encrypted, so that several tabs do not disturb each other. */
export function setLoginCookie(
  ctx: Context,
  request: Request,
  reply: Reply,
  login: Omit<PendingLogin, 'expiresAt'>,
): void {
  const abandoned = namesIn(request).slice(0, -(maxPending - 1))
  for (const name of abandoned) reply.header('set-cookie', formatCookie(name, '', 0, login.redirectUri))
  const sealed = ctx.secrets.seal(JSON.stringify({ ...login, expiresAt: ctx.now() + validFor }), context)
  reply.header('set-cookie', formatCookie(cookieName(login.state), sealed, validFor / second, login.redirectUri))
}

/** The sign-in that the provider's answer belongs to; null if this browser has not started it. It can be used once. */
export async function takeLogin(
  ctx: Context,
  request: Request,
  reply: Reply,
  state: string,
): Promise<PendingLogin | null> {
  const name = cookieName(state)
  const sealed = parseCookies(request).find(([each]) => each === name)?.[1]
  if (sealed === undefined) return null
  const login = open(ctx, sealed)
  reply.header('set-cookie', formatCookie(name, '', 0, login?.redirectUri ?? ''))
  const isValid = login !== null && login.state === state && login.expiresAt > ctx.now()
  return isValid && (await markUsed(ctx, login)) ? login : null
}

/**
 * Whether this is the first use of a sign-in, on any node. A copy of the cookie could repeat it otherwise. It belongs to no
 * workspace: the provider has not said yet who signs in.
 */
async function markUsed({ db }: Context, { state, expiresAt }: PendingLogin): Promise<boolean> {
  const marked = await db
    .insertInto('used_login')
    .values({ state, expires_at: timestamp(expiresAt) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('state')
    .executeTakeFirst()
  return marked !== undefined
}

/** An expired sign-in is refused anyway, used or not. */
export async function removeExpiredLogins({ db, now }: Context): Promise<void> {
  await db.deleteFrom('used_login').where('expires_at', '<', timestamp(now())).execute()
}

function open({ secrets }: Context, sealed: string): PendingLogin | null {
  try {
    return JSON.parse(secrets.open(sealed, context)) as PendingLogin
  } catch {
    return null
  }
}

const cookieName = (state: string): string => `${prefix}${state.replace(/[^\w-]/g, '').slice(0, 12)}`

const parseCookies = ({ headers: { cookie = '' } }: Request): [name: string, value: string][] =>
  cookie.split(/;\s*/).map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)])

/** Browsers send older cookies first. */
const namesIn = (request: Request): string[] =>
  parseCookies(request).flatMap(([name]) => (/^parley_login_[\w-]{0,12}$/.test(name) ? [name] : []))

const formatCookie = (name: string, value: string, maxAge: number, redirectUri: string): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(redirectUri.startsWith('https:') ? ['Secure'] : []),
    `Max-Age=${maxAge}`,
  ].join('; ')
