import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { breakableProxy } from '../../client/test/breakable-proxy.ts'
import { indexMessages } from '../../server/src/features/conversations/search/index-messages.ts'
import { openBrowser } from '../../server/test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import { ownService, stagedWorkspace, workspace } from './console.ts'
import { expectFitting } from './every-page/check.ts'

const signOut = async (page: Page, name = 'Sign out') => {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
}
const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome' }).waitFor()
const everythingScriptsSee = 'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)'

it('signs in by link or with a token, rejects a wrong one, and ends the session on sign-out', async () => {
  const { open, url, token } = await workspace()
  const { page, problems } = await open()
  await welcome(page)
  await expect.poll(() => page.url()).toBe(`${url}/`)
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  const [cookie] = await page.context().cookies(`${url}/api`)
  expect(cookie).toMatchObject({ name: 'parley_session', httpOnly: true, sameSite: 'Lax', path: '/api' })
  const seen = await page.evaluate(everythingScriptsSee)
  for (const secret of [token, cookie?.value ?? '']) expect(seen).not.toContain(secret)
  await page.reload()
  await welcome(page)
  await signOut(page)
  await page.reload()
  await page.getByLabel('Access token').fill('parley_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This token is invalid, revoked or expired.').waitFor()
  await page.getByLabel('Access token').fill(token)
  await page.keyboard.press('Enter')
  await welcome(page)
  await signOut(page)
  await page.goto(`${url}/#token=${token}`)
  await welcome(page)
  await expect.poll(() => page.url()).toBe(`${url}/`)
  expect(problems).toEqual([])
})

it('stays signed in in new tabs and after a restart, in the same workspace, and signs out in all tabs', async () => {
  const { open, url, post, token } = await workspace()
  const elsewhere = (await post('/workspaces', { name: 'Elsewhere' })).body.data
  await post('/agents', { name: 'Librarian' }, { headers: { 'x-workspace': elsewhere.id } })
  const { page } = await open()
  await welcome(page)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitemradio', { name: 'Elsewhere' }).click()
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  const link = page.getByRole('link', { name: 'Librarian' }).first()
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click({ button: 'middle' })])
  await tab.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()

  // A restart of the browser keeps the cookies that have an expiry.
  const kept = (await page.context().cookies()).filter(({ expires }) => expires > 0)
  const restarted = await openBrowser()
  await restarted.addCookies(kept)
  const later = await restarted.newPage()
  await later.goto(`${url}/agents`)
  await later.getByRole('heading', { name: 'Agents', level: 1, exact: true }).waitFor()

  await signOut(page)
  await tab.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  await tab.getByLabel('Access token').fill(token)
  await tab.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck()
  await tab.getByText('Until you close the browser.').waitFor()
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1, exact: true }).waitFor() // signed in again, too
  await expect.poll(async () => (await page.context().cookies(`${url}/api`))[0]?.expires).toBe(-1)
})

it('signs out everywhere', async () => {
  const { open, post } = await workspace()
  const { token } = (await post('/tokens', { name: 'Mine', role: 'editor' })).body.data
  const [here, there] = [await open('/', { token }), await open('/', { token })]
  for (const { page } of [here, there]) await welcome(page)
  await signOut(here.page, 'Sign out everywhere')
  await here.page.getByText('You are signed out in all browsers.').waitFor()
  await there.page.getByRole('link', { name: 'Prompts', exact: true }).click()
  await there.page.getByText('Your session has ended. Sign in again.').waitFor()
})

it('says when to try again after too many attempts', async () => {
  const { open } = await ownService({ environment: { RATE_LIMIT: '3' } })
  const { page } = await open('/', { token: null })
  await page.getByLabel('Access token').fill('parley_wrong')
  const attempt = async () => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor()
    return page.getByText('Too many requests. Try again in').isVisible()
  }
  await expect.poll(attempt).toBe(true)
})

it('returns to the sign-in page when the token is revoked', async () => {
  const { open, post, remove } = await workspace()
  const made = (await post('/tokens', { name: 'Short', role: 'editor' })).body.data
  const { page, goTo } = await open('/', { token: made.token })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await remove(`/tokens/${made.id}`)
  await goTo('/prompts') // Home may have noticed already, and shows no link any more
  await page.getByText('Your session has ended.').waitFor()
})

it('reaches pages and actions by keyboard through the command palette, and keeps the theme', async () => {
  const { open, post } = await workspace()
  await post('/agents', { name: 'Librarian' })
  const { page, problems } = await open()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('libra')
  await page.getByRole('option', { name: 'Librarian' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('dark')
  await page.getByRole('option', { name: 'Switch to dark theme' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(problems).toEqual([])
})

it('finds conversations by what was said, with filters, and everything in the palette', async () => {
  const here = await stagedWorkspace({ deltas: ['The zeppelin lands at noon.'] }, { name: 'Pilot' })
  const source = {
    name: 'Zeppelins',
    type: 'text',
    configuration: { documents: [{ title: 'Manual', content: 'Fly.' }] },
  }
  await here.post('/knowledge-sources', source)
  const talks = [await here.talk(), await here.talk()]
  for (const id of talks) await here.say(id, id === talks[0] ? 'When do we land?' : 'And the hangar?')
  const { data } = (await here.get(`/conversations/${talks[1]}/messages`)).body
  await here.post(`/conversations/${talks[1]}/messages/${data[1].id}/feedback`, { rating: 'down' })
  await indexMessages(here.ctx)
  const { page, problems } = await here.open('/conversations')
  const rows = page.locator('tbody tr')
  await page.getByRole('searchbox').fill('zepp noon')
  await expect
    .poll(() => page.locator('tbody mark').allTextContents())
    .toEqual(['zeppelin', 'noon', 'zeppelin', 'noon'])
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Rating').selectOption('Rated bad')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('And the hangar?').waitFor()
  await expectAccessible(page, 'conversations with filters', { within: 'main' })
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No matching conversations').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('2020-01-01')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('zeppelin')
  const option = (name: RegExp) => page.getByRole('option', { name })
  await option(/^Zeppelins.*Source/).waitFor()
  await option(/When do we land\?.*The zeppelin lands at noon\..*Conversation/).waitFor()
  await expectAccessible(page, 'palette')
  await page.getByRole('combobox').fill('manual')
  await option(/^Manual.*Document/).click()
  await page.getByRole('heading', { name: 'Manual', level: 1 }).waitFor()
  expect(problems).toEqual([])
})

it('shows an error if a page cannot load, and loads it on retry', async () => {
  const { open, url } = await workspace()
  const proxy = await breakableProxy(url)
  const { page } = await open('/', { url: proxy.url })
  const main = page.getByRole('navigation', { name: 'Main' })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  proxy.down()
  await main.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByText('This page could not load').waitFor()
  await expect.poll(() => main.isVisible()).toBe(true)
  const retry = page.getByRole('button', { name: 'Try again' })
  // The page asks for the server itself when it could not load a part.
  const failedAgain = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
  await retry.click()
  await failedAgain
  await page.getByText('This page could not load').waitFor()
  proxy.up()
  await retry.click()
  await page.getByText('No templates yet').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/prompts')
})

it('connects a program: sign in, allow, and be sent back with a code', async () => {
  const { open, post, url, token } = await stagedWorkspace({ deltas: ['Yes.'] })
  const { token: ada } = (await post('/tokens', { name: 'Ada', role: 'user', user_id: 'ada' })).body.data
  const answered = createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1')
  await once(answered, 'listening')
  onTestFinished(() => {
    answered.closeAllConnections()
    answered.close()
  })
  const redirect_uri = `http://127.0.0.1:${(answered.address() as AddressInfo).port}/callback`
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Editor', redirect_uris: [redirect_uri] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const verifier = 'a'.repeat(43)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', code_challenge, state: 's' })
  const { page, problems } = await open(`/oauth/authorize?${query}&code_challenge_method=S256`, { token: null })
  await page.getByLabel('Access token').fill(ada)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Connect Editor?' }).waitFor()
  await page.getByText('Unverified').waitFor()
  await page.getByText(new URL(redirect_uri).host).waitFor()
  await expectFitting(page, 'consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/callback\?/)
  const landed = page.url()
  const { searchParams } = new URL(landed)
  expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['s', url])
  const form = {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    client_id,
    code_verifier: verifier,
  }
  expect((await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200)

  const admin = await open('/settings?tab=tokens', { token })
  await admin.page.getByText('connected client').waitFor()
  await admin.page.getByRole('button', { name: 'Revoke Editor' }).click()
  await admin.page.getByRole('button', { name: 'Revoke token' }).click()
  await expect.poll(() => admin.page.getByText('connected client').count()).toBe(0)
  // The only request to another origin is that of the answer.
  expect([problems, admin.problems]).toEqual([[`requested ${landed}`], []])
})
