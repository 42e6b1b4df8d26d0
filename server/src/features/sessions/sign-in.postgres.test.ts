import { expect, it, onTestFinished } from 'vitest'
import { startOn, startService } from '../../../test/harness.ts'
import { clientOfTests, startIdentityProvider } from '../../../test/identity-provider.ts'
import { authorize, Browser, signIn } from '../../../test/sign-in.ts'
import { hour } from '../../kernel/time.ts'

it('signs in on one node what was started on another, and refreshes a session once for all nodes', async () => {
  const idp = await startIdentityProvider()
  onTestFinished(() => idp.stop())
  idp.people.set('ada', { claims: { role: 'editor', groups: ['hr'] } })
  let offset = 0
  const now = () => Date.now() + offset
  const environment = { OIDC_ISSUER: idp.issuer, ...clientOfTests }
  const one = await startService({ environment, now })
  const two = await startOn(one.environment, { now })

  const browser = new Browser()
  const answer = new URL(await authorize(browser, `${one.url}/api/auth/login`))
  for (const [name, value] of browser.cookies(one.url)) browser.cookies(two.url).set(name, value)
  // A proxy would send it to the other node, under the same address.
  const copy = [...browser.cookies(two.url)]
  expect((await browser.open(`${two.url}/api/auth/callback${answer.search}`)).status).toBe(302)
  for (const [name, value] of copy) browser.cookies(one.url).set(name, value)
  expect((await browser.open(answer.href)).body).toContain('This sign-in has expired') // it was used on the other node

  const { as } = await signIn(one)
  const before = idp.timesAsked('/token')
  idp.people.set('ada', { claims: { role: 'viewer', groups: [] } })
  offset += hour // longer than a session works without the provider
  const asked = Array.from({ length: 6 }, (_, index) => (index % 2 ? one : two).get('/me', as()))
  for (const { body } of await Promise.all(asked)) expect(body.data).toMatchObject({ role: 'viewer', groups: [] })
  expect(idp.timesAsked('/token')).toBe(before + 1)
})
