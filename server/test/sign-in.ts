import type { Service } from './harness.ts'

export const fromConsole = { 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }

/** A browser without pages: it keeps cookies and follows redirects when it is told to. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()

  cookies(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar)
    return jar
  }

  async open(
    address: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; location: string; body: string; headers: Headers }> {
    const { origin } = new URL(address)
    const jar = this.cookies(origin)
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((each) => each.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = (cookie.split(';')[0] as string).split(/=(.*)/) as [string, string]
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? '' : new URL(location, address).href,
      body: await response.text(),
      headers: response.headers,
    }
  }

  /** Follows redirects until a page comes, or an address that matches. */
  async follow(address: string, until = /^$/) {
    let at = address
    for (let hops = 0; hops < 10; hops++) {
      const answer = await this.open(at)
      if (answer.location === '' || until.test(answer.location)) return { ...answer, at }
      at = answer.location
    }
    throw new Error(`too many redirects at ${at}`)
  }
}

export const callback = /\/api\/auth\/callback\?/

/** Goes to the provider and signs in there. Returns the address of the callback, which is not opened. */
export async function authorize(browser: Browser, login: string, account = 'ada', action = 'login'): Promise<string> {
  const page = await browser.follow(login, callback)
  if (callback.test(page.location)) return page.location // the provider knows the person already
  const next = await browser.open(page.at, { account, action })
  const done = await browser.follow(next.location, callback)
  if (!callback.test(done.location)) throw new Error(`the provider did not answer: ${done.body.slice(0, 500)}`)
  return done.location
}

export async function signIn({ url, get }: Service, { account = 'ada', browser = new Browser(), query = '' } = {}) {
  const answer = await browser.open(await authorize(browser, `${url}/api/auth/login${query}`, account))
  const as = () => {
    const cookie = [...browser.cookies(url)].map((each) => each.join('=')).join('; ')
    return { token: null, headers: { ...fromConsole, cookie } }
  }
  return { answer, browser, as, me: async () => (await get('/auth/session', as())).body }
}
