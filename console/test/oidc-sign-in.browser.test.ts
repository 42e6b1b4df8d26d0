import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOfTests, type IdentityProvider, startIdentityProvider } from '../../server/test/identity-provider.ts'
import { expectAccessible } from './accessibility.ts'
import { ownService } from './console.ts'

let idp: IdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

it('signs in with the identity provider, returns to the page, and signs out in both places', async () => {
  idp.people.set('ada', { claims: { name: 'Ada Lovelace', role: 'editor' } })
  const environment = { OIDC_ISSUER: idp.issuer, OIDC_NAME: 'Acme', ...clientOfTests }
  const { open, url, post, token } = await ownService({ environment })
  const agent = (await post('/agents', { name: 'Librarian' })).body.data
  const { page } = await open(`/agents/${agent.id}?tab=versions`, { token: null })
  const other = await page.context().newPage()
  await other.goto(`${url}/agents`)
  const toProvider = page.getByRole('button', { name: 'Sign in with Acme' })
  await toProvider.waitFor()
  await expectAccessible(page, 'sign-in')
  await expect.poll(() => page.getByLabel('Access token').isVisible()).toBe(false)

  await toProvider.click()
  await page.getByLabel('Account').fill('ada')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
  await expect.poll(() => page.url()).toBe(`${url}/agents/${agent.id}?tab=versions`)
  await page.getByRole('button', { name: /^Account: Ada Lovelace/ }).waitFor()
  expect(await page.evaluate('document.cookie')).toBe('')
  await other.getByRole('heading', { name: 'Agents', level: 1, exact: true }).waitFor() // the other tab, too

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Yes, log out' }).click()
  await toProvider.waitFor()
  await expect.poll(() => page.url()).toBe(`${url}/`)
  await other.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
  await toProvider.click()
  await page.getByLabel('Account').waitFor() // nobody is signed in at the provider any more
  await page.goto(url)
  await page.getByText('Use an access token').click()
  await page.getByLabel('Access token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/status`)
  await page.getByText(idp.issuer, { exact: true }).waitFor()
  await expectAccessible(page, 'sign-in settings')
})

it('tells a person without a role whom to ask, and lets them use another account or cancel', async () => {
  idp.people.set('bob', { claims: { name: 'Bob' } })
  idp.people.set('ada', { claims: { name: 'Ada Lovelace', role: 'user' } })
  const { open, url } = await ownService({ environment: { OIDC_ISSUER: idp.issuer, ...clientOfTests } })
  const { page, problems } = await open('/', { token: null })
  const logIn = async (account: string) => {
    await page.getByLabel('Account').fill(account)
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click()
  await logIn('bob')
  await page.getByRole('heading', { name: 'You have no access to Parley' }).waitFor()
  await page.getByText('You are signed in at 127.0.0.1 as Bob.').waitFor()
  await page.getByText('Ask your administrator for access.').waitFor()
  await expectAccessible(page, 'no access')
  await page.getByRole('link', { name: 'Use another account' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Sign-in was cancelled' }).waitFor()
  await page.getByRole('link', { name: 'Use another account' }).click()
  await logIn('ada')
  await page.getByRole('button', { name: /^Account: Ada Lovelace/ }).waitFor()
  await page.goBack()
  await page.goto(url)
  await page.getByRole('button', { name: /^Account: Ada Lovelace/ }).waitFor()
  const foreign = problems.filter((each) => !each.startsWith(`requested ${idp.issuer}/`))
  expect(foreign).toEqual(foreign.filter((each) => /status of 403/.test(each)))
})
