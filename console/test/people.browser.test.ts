import { expect, it } from 'vitest'
import { startSmtpServer } from '../../server/test/smtp-server.ts'
import { dismissToasts, ownService, stagedWorkspace } from './console.ts'
import { expectFitting } from './every-page/check.ts'

it('shows a person, exports their data and erases them with a receipt', async () => {
  const { agent, post, say, get, open } = await stagedWorkspace({ deltas: ['Yes.'] })
  for (const user_id of ['ada@example.com', 'bob']) {
    const conversation = (await post('/conversations', { agent_id: agent, user_id })).body.data.id
    await say(conversation, 'Is it so?')
  }
  await post('/tokens', { name: 'Phone of Ada', role: 'user', user_id: 'ada@example.com', groups: ['finance'] })
  const { page, problems } = await open('/people')
  await page.getByRole('link', { name: 'bob' }).waitFor()
  await page.getByLabel('Search people').fill('ada')
  await expect.poll(() => page.getByRole('link', { name: 'bob' }).count()).toBe(0)
  await page.getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
  await page.getByText('Phone of Ada').waitFor()

  await page.getByRole('button', { name: 'Export' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^usr_\w+\.zip$/)

  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const erase = page.getByRole('button', { name: 'Erase this person' })
  await expect.poll(() => erase.isDisabled()).toBe(true)
  await page.getByLabel(/to confirm$/).fill('ada@example.com')
  await erase.click()
  await page.getByText(/^erased_[0-9a-f]{32}$/).waitFor()
  await page.getByRole('dialog').getByText('completed').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'bob' }).waitFor()
  await page.getByRole('button', { name: 'Receipt' }).waitFor()
  expect((await get('/users')).body.data).toHaveLength(1)
  expect(problems).toEqual([])
})

it('invites a person, who joins by the link, gets another link, another role, and no access any more', async () => {
  const { open, get } = await stagedWorkspace({ deltas: ['Yes.'] })
  const { page, problems, goTo } = await open('/people')
  await page.getByRole('button', { name: 'Invite' }).first().click()
  await page.getByLabel('E-mail (optional)').fill('ada@example.com')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByText(/\/invitation#code=/).textContent()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()

  const guest = await open(new URL(link ?? '').pathname + new URL(link ?? '').hash, { token: null })
  await guest.page.getByLabel('Your name').fill('Ada Lovelace')
  await expectFitting(guest.page, 'invitation')
  await guest.page.getByRole('button', { name: 'Join' }).click()
  await guest.page.getByRole('textbox', { name: 'Message' }).waitFor()
  const again = await open(new URL(link ?? '').pathname + new URL(link ?? '').hash, { token: null })
  await again.page.getByLabel('Your name').fill('Eve')
  await again.page.getByRole('button', { name: 'Join' }).click()
  await again.page.getByText('Ask for a new one').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()

  // A link for another device makes no other person.
  await page.getByRole('button', { name: 'New sign-in link' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const second = new URL((await page.getByText(/&again$/).textContent()) ?? '')
  await page.getByRole('button', { name: 'Done' }).click()
  const phone = await open(second.pathname + second.hash, { token: null })
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await phone.page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.reload()
  await expect.poll(() => page.getByRole('region', { name: 'Tokens' }).getByRole('row').count()).toBe(3)

  await page.getByRole('button', { name: 'Role and groups' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('editor')
  await page.getByRole('combobox', { name: 'Groups' }).fill('finance')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Role and groups saved').waitFor()
  const rights = { role: 'editor', groups: ['finance'], user_id: 'ada@example.com' }
  const tokens = (await get('/tokens?user_id=ada@example.com')).body.data
  expect(tokens).toEqual([expect.objectContaining(rights), expect.objectContaining(rights)])
  await dismissToasts(page)
  const person = new URL(page.url()).pathname
  await goTo('/people')
  await page.getByRole('region', { name: 'Groups', exact: true }).getByText('finance').waitFor()
  await goTo(person)
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove access' }).click()
  await page.getByText('No token of this workspace').waitFor()
  expect((await get('/users')).body.data).toHaveLength(1)
  expect([problems, guest.problems]).toEqual([[], []])
})

it('sends an invitation by e-mail where a mail server is set, and shows the link and what became of the message', async () => {
  const { url } = await startSmtpServer((nth) => (nth === 1 ? 250 : 550))
  const environment = { SMTP_URL: url, SMTP_FROM: 'parley@example.com', PUBLIC_URL: 'https://parley.example.com' }
  const { page, problems } = await (await ownService({ environment })).open('/people')
  for (const [email, shown] of [
    ['ada@example.com', 'Sent to ada@example.com'],
    ['bo@example.com', /^Not sent to bo@example\.com: .*550 not now/],
  ] as const) {
    await page.getByRole('button', { name: 'Invite' }).first().click()
    await page.getByText('It is also sent to the e-mail address').waitFor()
    await page.getByLabel('E-mail (optional)').fill(email)
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText(/^https:\/\/parley\.example\.com\/invitation#code=/).waitFor()
    await page.getByRole('dialog').getByText(shown).waitFor()
    await expectFitting(page, `invitation of ${email}`)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').getByText(shown).waitFor()
  }
  expect(problems).toEqual([])
})
