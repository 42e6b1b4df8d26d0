import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { workspace } from './console.ts'

it('shows what is remembered, with undo, and lists, edits and deletes it', async () => {
  const { open, get, post } = await workspace()
  const memory = { scope: 'user', write: 'tool' }
  const agent_id = (await post('/agents', { name: 'Companion', memory })).body.data.id
  const { token } = (await post('/tokens', { name: 'Ada', role: 'user', user_id: 'ada' })).body.data
  await post('/memories', { content: 'My favourite tea is Assam.', user_id: 'ada' })
  const { page, problems } = await open(`/chat?agent=${agent_id}`, { token })
  const send = async (text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  await send('My favourite colour is green.')
  const remembered = page.locator('.remembered')
  await remembered.getByText('My favourite colour is green.').waitFor()
  await page.getByText('1 memory recalled').waitFor()
  await expectAccessibleInBothThemes(page, 'a reply that remembers')
  await remembered.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => remembered.count()).toBe(0)
  expect((await get('/memories?user_id=ada')).body.data).toHaveLength(1)

  await page.goto(page.url().replace(/\/chat.*/, `/chat?agent=${agent_id}`))
  await page.getByLabel('Without memory').check()
  await send('My favourite number is seven.')
  await page.getByRole('article', { name: 'Reply' }).waitFor()
  const [quiet] = (await get('/conversations?user_id=ada')).body.data
  expect(quiet.memory).toBe(false)
  expect(await remembered.count()).toBe(0)

  await page.getByRole('link', { name: 'Memories' }).click()
  await page.getByRole('button', { name: 'Edit My favourite tea is Assam.' }).click()
  await page.getByLabel('Memory', { exact: true }).fill('My favourite tea is Sencha.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('My favourite tea is Sencha.').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await downloading).suggestedFilename()).toBe('memories.json')
  await page.getByRole('button', { name: 'Delete My favourite tea is Sencha.' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing remembered yet').waitFor()
  expect(problems).toEqual([])

  await post('/memories', { content: 'Likes tea', user_id: 'ada' })
  const admin = await open('/memories')
  await admin.page.getByText('Likes tea').waitFor()
  await expectAccessibleInBothThemes(admin.page, 'memories')
  await admin.page.getByLabel('Agents may remember').click()
  await until(async () => (await get('/memory-settings')).body.data.enabled === false)
  await admin.goTo(`/chat?agent=${agent_id}`)
  await admin.page.getByText('a token that names no user').waitFor()
  expect(admin.problems).toEqual([])
})
