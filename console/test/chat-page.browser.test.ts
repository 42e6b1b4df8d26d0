import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fixTime } from '../../server/test/browser.ts'
import { type Json, until } from '../../server/test/harness.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import { expectNoButtons, stagedWorkspace } from './console.ts'
import { lengthen } from './long-chat.ts'

const sent = (page: Page) => page.getByRole('log').locator('.message.user .bubble').allTextContents()
const replies = (page: Page) => page.getByRole('article', { name: 'Reply' }).locator('.markdown').allInnerTexts()
const field = (page: Page) => page.getByLabel('Message', { exact: true })
const chats = (page: Page) => page.getByRole('navigation', { name: 'Chats' })

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await page.keyboard.press('Enter')
}

/** A workspace whose agent replies "re: " and the question, opened by a user. */
async function asUser(viewport = { width: 1280, height: 800 }) {
  const here = await stagedWorkspace(({ body }) => ({ deltas: [`re: ${(body.messages as Json[]).at(-1).content}`] }))
  const token = await here.tokenFor('user', { user_id: 'ada' })
  return { here, token, ...(await here.open('/', { token, viewport })) }
}

it('edits and resends a message, switches versions, and takes a reason for a bad reply', async () => {
  const { here, page, problems } = await asUser()
  await field(page).fill('first thou')
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toBe('first thou')
  await say(page, 'first')
  await expect.poll(() => replies(page)).toEqual(['re: first'])
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await say(page, 'second')
  await expect.poll(() => replies(page)).toEqual(['re: first', 're: second'])

  // By keyboard: the last message.
  await expect.poll(() => page.getByRole('button', { name: 'Edit message' }).count()).toBe(2)
  await field(page).press('ArrowUp')
  await page.getByRole('textbox', { name: 'Edit message' }).fill('zweitens')
  await page.keyboard.press('Enter')
  await expect.poll(() => replies(page)).toEqual(['re: first', 're: zweitens'])
  await page.getByText('2 / 2').waitFor()
  await page.getByRole('button', { name: 'Previous version' }).click()
  await expect.poll(() => sent(page)).toEqual(['first', 'second'])
  await page.getByText('1 / 2').waitFor()

  here.provider.next({ deltas: ['A better one'] })
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await expect.poll(() => replies(page)).toEqual(['re: first', 'A better one'])
  await page.getByRole('article').last().getByText('2 / 2').waitFor()

  await page.getByRole('button', { name: 'Bad reply' }).last().click()
  await page.getByLabel('What was wrong?').fill('Too vague')
  await page.keyboard.press('Enter')
  const id = new URL(page.url()).searchParams.get('conversation')
  const rated = async () => (await here.get(`/conversations/${id}`)).body.data.messages.at(-1).feedback?.comment
  await expect.poll(rated).toBe('Too vague')
  await expectAccessibleInBothThemes(page, 'chat', { within: 'main' })
  expect(problems).toEqual([])
})

it('lists chats by day, and finds, renames and deletes them', async () => {
  const { here, page, problems } = await asUser()
  const { post, agent, ctx } = here
  const now = new Date()
  await fixTime(page, now)
  const make = async (title: string, daysAgo: number, message?: string) => {
    const { id } = (await post('/conversations', { agent_id: agent, user_id: 'ada', title })).body.data
    if (message) await here.say(id, message)
    const updated_at = `${new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 19)}Z`
    await ctx.db.updateTable('conversation').set({ updated_at }).where('id', '=', id).execute()
  }
  await make('Of today', 0, 'About a lighthouse')
  await until(async () => (await here.get('/conversations?search=lighthouse')).body.pagination.total === 1)
  await make('Of yesterday', 1)
  await make('Of last week', 5)
  await page.reload()
  await chats(page).getByText('Of today').waitFor()
  await expect
    .poll(() => chats(page).getByRole('heading').allInnerTexts())
    .toEqual(['Today', 'Yesterday', 'Previous 7 days'])
  await page.getByRole('button', { name: 'Share' }).waitFor({ state: 'detached' })
  await page.locator('main').press('/')
  await page.keyboard.type('lighthouse')
  await expect.poll(() => chats(page).getByRole('listitem').allInnerTexts()).toEqual(['Of today'])
  await page.getByLabel('Search chats').fill('week')
  await expect.poll(() => chats(page).getByRole('listitem').count()).toBe(1)

  await page.getByRole('button', { name: 'Options of Of last week' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  // Typing replaces the old title.
  const selected = () => page.evaluate('getSelection().toString()')
  await expect.poll(selected).toBe('Of last week')
  await page.keyboard.type('About a week')
  await page.keyboard.press('Enter')
  await chats(page).getByRole('button', { name: 'About a week', exact: true }).click()
  await page.waitForURL(/conversation=cnv_/)
  await page.keyboard.press('Control+Shift+O')
  await page.waitForURL(/\/chat$/)
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New chat').waitFor()
  await expectAccessible(page, 'shortcuts')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Options of About a week' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete chat' }).click()
  await chats(page).getByText('No matching chats').waitFor()
  expect(problems).toEqual([])
})

it('keeps tabs in step, retries failed replies, and leaves nothing of a refused first message', async () => {
  const here = await stagedWorkspace({ deltas: ['Well.'] })
  const token = await here.tokenFor('user', { user_id: 'ada' })
  const { page, problems } = await here.open('/chat', { token })
  await page.getByPlaceholder(/^Message/).waitFor()
  // Only the first request for the chats is refused, and repeated after a second.
  await page.route(
    /\/api\/conversations\?/,
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        json: { success: false, error: 'Slow down.', code: 'rate_limited' },
      }),
    { times: 1 },
  )
  await page.reload()
  await page.getByText('Too many requests. This page goes on in').waitFor()
  await page.getByText('Too many requests').waitFor({ state: 'detached' })

  const limit = { name: 'None', metric: 'tokens', limit: 1, window: 'day', action: 'block' }
  const budget = (await here.post('/usage/thresholds', limit)).body.data.id
  await say(page, 'Not yet')
  await page.getByRole('alert').waitFor()
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not yet')
  await expect.poll(async () => (await here.get('/conversations')).body.pagination.total).toBe(0)
  await here.remove(`/usage/thresholds/${budget}`)

  here.provider.next({ status: 400, body: { error: { message: 'Overloaded' } } })
  await say(page, 'שלום עולם')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Well.').waitFor()
  await page.waitForURL(/conversation=cnv_/)
  expect(
    await page
      .locator('.bubble')
      .first()
      .evaluate((bubble) => bubble.matches(':dir(rtl)')),
  ).toBe(true)

  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText('Well.').waitFor()
  await say(page, 'Do you see it?')
  await other.getByText('Do you see it?').waitFor()
  await other.getByText('Well.').nth(1).waitFor()
  await other.close()

  await page.setViewportSize({ width: 1000, height: 300 })
  await page.emulateMedia({ media: 'print' })
  const isWhole = () => page.getByRole('log').evaluate((log) => log.scrollHeight <= log.clientHeight)
  await expect.poll(isWhole).toBe(true)
  expect(problems.filter((text) => !/status of (403|429)/.test(text))).toEqual([])
})

it('shares a chat as a link that others in the workspace only read', async () => {
  const { here, page, problems } = await asUser()
  await say(page, 'Hello')
  await expect.poll(() => replies(page)).toEqual(['re: Hello'])
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = new URL(await page.getByLabel('Link', { exact: true }).inputValue())
  const other = await here.open(link.pathname + link.search, { token: await here.tokenFor('user', { user_id: 'bob' }) })
  await other.page.getByText('Shared by ada.').waitFor()
  await expect.poll(() => replies(other.page)).toEqual(['re: Hello'])
  await expectNoButtons(other.page, ['Edit message', 'Regenerate', 'Bad reply', 'Share', 'Send'])
  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  await other.page.reload()
  await other.page
    .getByText(/not found|does not exist/i)
    .first()
    .waitFor()
  expect([...problems, ...other.problems]).toEqual([])
})

it('fills a phone, with the chats in a drawer', async () => {
  const { page, problems } = await asUser({ width: 390, height: 800 })
  await say(page, 'Hello')
  await expect.poll(() => replies(page)).toEqual(['re: Hello'])
  const box = await page.locator('.chat').boundingBox()
  expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 800 })
  await page.getByRole('button', { name: 'Show chats' }).click()
  const drawer = page.getByRole('dialog', { name: 'Chats' })
  await drawer.getByRole('button', { name: 'Hello', exact: true }).waitFor()
  await expectAccessible(page, 'chats on a phone')
  await drawer.getByRole('button', { name: 'New chat', exact: true }).click()
  await expect.poll(() => replies(page)).toEqual([])
  expect(problems).toEqual([])
})

it('opens a long chat at its end and loads earlier messages on scroll', async () => {
  const here = await stagedWorkspace({ deltas: Array.from({ length: 40 }, (_, n) => `word${n} `), delay: 20 })
  const id = await here.talk()
  await here.say(id, 'Question 0')
  await lengthen(here, id, 260, (n) => ({
    question: `Question ${n}`,
    answer: `Answer ${n}${'\n\nand more'.repeat(n % 7)}`,
  }))

  const { page, problems } = await here.open(`/conversations/${id}`)
  await page.getByText('Answer 260').waitFor()
  await page.getByRole('definition').filter({ hasText: /^522$/ }).waitFor()
  await expect.poll(() => sent(page)).toHaveLength(100)
  const log = page.getByRole('log')
  const top = () => log.evaluate((element) => element.scrollTop)
  await expect.poll(top).toBeGreaterThan(1000)
  // The visible messages must not move. Earlier ones are held back until the page has its layout.
  const { promise: hasLayout, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/messages\?/, (route) => hasLayout.then(() => route.continue()))
  const kept = page.getByText('Question 162', { exact: true })
  await kept.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const height = async () => (await kept.boundingBox())?.y ?? 0
  let before = await height()
  await expect
    .poll(async () => {
      const last = before
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      before = await height()
      return before - last
    })
    .toBe(0)
  release()
  await expect.poll(async () => (await sent(page)).length).toBe(150)
  await expect.poll(async () => Math.abs((await height()) - before)).toBeLessThan(3)
  for (const loaded of [200, 250, 261]) {
    await log.evaluate((element) => element.scrollTo(0, 0))
    await expect.poll(async () => (await sent(page)).length).toBe(loaded)
  }
  await expect.poll(async () => (await sent(page))[0]).toBe('Question 0')
  // Messages far from the screen are not laid out.
  const laidOut = () =>
    log.evaluate(
      (element) =>
        [...element.querySelectorAll('.bubble')].filter((each) => each.checkVisibility({ contentVisibilityAuto: true }))
          .length,
    )
  await expect.poll(laidOut).toBeLessThan(120)

  // A reply does not render the messages before it again.
  await page.getByRole('button', { name: 'Join conversation' }).click()
  await page.evaluate(`globalThis.changes = new Set()
    new MutationObserver((all) => { for (const { target } of all) changes.add((target.closest ? target : target.parentElement).closest('.message')) })
      .observe(document.querySelector('[role=log]'), { subtree: true, characterData: true, attributes: true, childList: true })`)
  await say(page, 'And now?')
  await page.getByRole('article').last().getByText('word39').waitFor()
  expect(await page.evaluate('[...changes].filter((message) => message).length')).toBeLessThan(6)
  expect(problems).toEqual([])
})

it('opens a chat at the message that was found, far back and on another branch', async () => {
  const here = await stagedWorkspace(({ body }) => ({ deltas: [`re: ${(body.messages as Json[]).at(-1).content}`] }))
  for (let n = 0; n < 55; n++)
    await here.post('/conversations', { agent_id: here.agent, user_id: 'bob', title: `Bob ${n}` })
  const { id } = (await here.post('/conversations', { agent_id: here.agent, title: 'A long one' })).body.data
  await here.say(id, 'About a zeppelin')
  await lengthen(here, id, 110, (n) => ({ question: `Question ${n}`, answer: `Answer ${n}` }))
  await here.ctx.db
    .updateTable('conversation')
    .set({ updated_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  const isFound = (words: string) => async () =>
    (await here.get(`/conversations?search=${words}`)).body.pagination.total === 1
  await until(isFound('zeppelin'))

  const { page, problems } = await here.open('/chat')
  // An owner without a user sees the chats of no user, however many others there are.
  await chats(page).getByText('A long one').waitFor()
  await expect.poll(() => chats(page).getByRole('listitem').count()).toBe(1)
  // The shortcut prints all of it, not only the last messages.
  await chats(page).getByRole('button', { name: 'A long one', exact: true }).click()
  await expect.poll(async () => (await sent(page)).length).toBe(100)
  await page.evaluate('window.print = () => { document.title = "printed" }')
  await page.keyboard.press('Control+p')
  await expect.poll(() => page.title()).toBe('printed')
  expect((await sent(page)).length).toBe(111)
  const searched = page.waitForResponse((response) => response.url().includes('search=zeppelin'))
  await page.getByLabel('Search chats').fill('zeppelin')
  await (await searched).finished()
  await chats(page).getByRole('button', { name: 'A long one', exact: true }).click()
  const found = page.locator('.message.found')
  await found.getByText('About a zeppelin').first().waitFor()
  await expect.poll(() => found.evaluate(isOnScreen)).toBe(true)
  await expect.poll(async () => (await sent(page)).length).toBe(111)

  // Another first message: what was found is no longer on the active branch.
  await here.say(id, 'About a balloon', { parent_message_id: null })
  await until(isFound('balloon'))
  expect((await here.get(`/conversations/${id}/messages`)).body.pagination.total).toBe(2)
  await page.goto(`${here.url}/conversations`)
  await page.getByLabel('Search messages and titles').fill('zeppelin')
  await page
    .getByRole('link', { name: /A long one/ })
    .filter({ hasText: 'zeppelin' })
    .click()
  await page.waitForURL(`**/conversations/${id}?message=*`)
  await found.getByText('About a zeppelin').first().waitFor()
  await expect.poll(() => found.evaluate(isOnScreen)).toBe(true)
  // Watching does not change the branch of the person.
  expect((await here.get(`/conversations/${id}/messages`)).body.pagination.total).toBe(2)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'found', { within: '.message.found' })
  expect(problems).toEqual([])
})

/** Runs in the page. */
const isOnScreen = (element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top > 0 && bottom < 800
}
