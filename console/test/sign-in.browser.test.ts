import { expect, it } from 'vitest'
import { breakableProxy } from '../../client/test/breakable-proxy.ts'
import { ownService, workspace } from './console.ts'

const storedToken = 'sessionStorage.getItem("parley-token")'

it('signs in by link or with a token, rejects a wrong one, and forgets it on sign-out', async () => {
  const { open, url, token } = await ownService({ environment: { DEMO: 'true' } })
  const { page, problems } = await open()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(page.url()).toBe(`${url}/`)
  expect(await page.evaluate(storedToken)).toBe(token)
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(token)
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const signOut = async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
    expect(await page.evaluate(storedToken)).toBeNull()
  }
  await signOut()
  await page.reload()
  await page.getByLabel('Access token').fill('parley_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This token is invalid, revoked or expired.').waitFor()
  await page.getByLabel('Access token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await signOut()
  await page.goto(`${url}/#token=${token}`)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(page.url()).toBe(`${url}/`)
  expect(problems).toEqual([])
})

it('says when to try again after too many attempts', async () => {
  const { open } = await ownService({ environment: { RATE_LIMIT: '2' } })
  const { page } = await open('/', { token: null })
  await page.getByLabel('Access token').fill('parley_wrong')
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByText(attempt < 2 ? 'This token is invalid' : 'More than 2 requests in a minute. Try again in')
      .waitFor()
  }
})

it('returns to the sign-in page when the token is revoked', async () => {
  const { open, post, remove } = await workspace()
  const made = (await post('/tokens', { name: 'Short', role: 'editor' })).body.data
  const { page } = await open('/', { token: made.token })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await remove(`/tokens/${made.id}`)
  await page.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByText('Your token was revoked or has expired.').waitFor()
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
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
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
  expect(await main.isVisible()).toBe(true)
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.click()
  await page.getByText('This page could not load').waitFor()
  proxy.up()
  await retry.click()
  await page.getByText('No templates yet').waitFor()
  expect(new URL(page.url()).pathname).toBe('/prompts')
})
