import { beforeAll, expect, it } from 'vitest'
import { startService } from '../../server/test/harness.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

it('the sign-in link signs in once and leaves no trace of the token in the address', async () => {
  const { url, token } = await startService({ environment: { DEMO: 'true' } })
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(page.url()).toBe(`${url}/`)
  expect(await page.evaluate('sessionStorage.getItem("parley-token")')).toBe(token)
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(token)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(problems).toEqual([])
})

it('a token can be pasted, a wrong one is refused in words, and signing out forgets it', async () => {
  const { url, token } = await startService({ environment: { DEMO: 'true' } })
  const { page, problems } = await openConsole(url, null)
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  await page.getByLabel('Access token').fill('parley_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This token is unknown, revoked or expired.').waitFor()
  await page.getByLabel('Access token').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  expect(await page.evaluate('sessionStorage.getItem("parley-token")')).toBeNull()
  await page.goto(`${url}/#token=${token}`)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(page.url()).toBe(`${url}/`)
  expect(problems).toEqual([])
})

it('whoever tries too often is told when to try again, at once', async () => {
  const { url } = await startService({ environment: { RATE_LIMIT: '2' } })
  const { page } = await openConsole(url, null)
  await page.getByLabel('Access token').fill('parley_wrong')
  for (let tried = 0; tried < 3; tried++) {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByText(tried < 2 ? 'This token is unknown' : 'More than 2 requests in a minute. Try again in')
      .waitFor()
  }
})

it('a token that is revoked while it is used leads back to the sign-in page', async () => {
  const { url, post, remove } = await startService()
  const made = (await post('/tokens', { name: 'Short', role: 'editor' })).body.data
  const { page } = await openConsole(url, made.token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await remove(`/tokens/${made.id}`)
  await page.getByRole('link', { name: 'Prompts', exact: true }).click()
  await page.getByText('The token is unknown, revoked or expired.').waitFor()
})

it('everything can be reached by keyboard through the command palette, and the theme stays', async () => {
  const { url, token, post } = await startService()
  await post('/agents', { name: 'Librarian' })
  const { page, problems } = await openConsole(url, token, { colorScheme: 'light' })
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('libra')
  await page.getByRole('option', { name: 'Librarian' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('dark')
  await page.getByRole('option', { name: 'Use dark colours' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'Librarian', level: 1 }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(problems).toEqual([])
})
