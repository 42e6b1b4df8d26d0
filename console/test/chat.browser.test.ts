import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { breakableProxy } from '../../client/test/breakable-proxy.ts'
import { answering, asking, call, cautious } from '../../server/test/cautious-stage.ts'
import { until } from '../../server/test/harness.ts'
import { scriptedApi } from '../../server/test/scripted-api.ts'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { expectNoButtons, stagedWorkspace, withOpen } from './console.ts'

const words = Array.from({ length: 60 }, (_, n) => `word${n} `)

/** A reply that stops after some words until it is released. */
function heldReply() {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  return { script: { deltas: words, hold, after: 20 }, release }
}

const whole = words.join('').trim()
const focus = (page: Page) => page.evaluate(`dispatchEvent(new Event('focus'))`)
const sentMessages = (page: Page) => page.getByRole('log').locator('.message.user .bubble').allInnerTexts()

const expectWholeReply = (page: Page) =>
  expect
    .poll(async () => (await page.getByRole('article', { name: 'Reply' }).locator('.markdown').textContent())?.trim())
    .toBe(whole)

const join = (page: Page) => page.getByRole('button', { name: 'Join conversation' }).click()

async function openConversation(script: Parameters<typeof stagedWorkspace>[0]) {
  const service = await stagedWorkspace(script)
  const conversation = await service.talk()
  const { page, problems } = await service.open(`/conversations/${conversation}`)
  await page.getByText('No messages yet').waitFor()
  return { ...service, conversation, page, problems }
}

it('follows a running reply after a reload', async () => {
  const { script, release } = heldReply()
  const { open, agent, provider } = await stagedWorkspace(script)
  const { page, problems } = await open(`/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  await page.waitForURL(/conversation=cnv_/)
  await page.reload()
  await page.getByText('word5').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  release()
  await page.getByText('word59').waitFor()
  await expectWholeReply(page)
  await expect.poll(() => page.getByRole('article', { name: 'Reply' }).count()).toBe(1)
  expect(provider.requests).toHaveLength(1)
  expect(problems).toEqual([])
})

it('reconnects after a lost connection without losing any of the reply', async () => {
  const { script, release } = heldReply()
  const { open, url, agent } = await stagedWorkspace(script)
  const proxy = await breakableProxy(url)
  const { page } = await open(`/agents/${agent}`, { url: proxy.url })
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  proxy.down()
  await page.getByText('Connection lost. The reply continues').waitFor()
  proxy.up()
  release()
  await page.getByText('word59').waitFor()
  await expectWholeReply(page)
  await expect.poll(() => page.getByText('Connection lost').count()).toBe(0)
})

it('stops a reply', async () => {
  const { open, agent } = await stagedWorkspace(heldReply().script)
  const { page } = await open(`/agents/${agent}`)
  await page.getByLabel('Message', { exact: true }).fill('Tell me')
  await page.keyboard.press('Enter')
  await page.getByText('word3').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Reply stopped.').waitFor()
})

it('approves and denies tool calls one by one, shows tool calls, and shows why a reply failed', async () => {
  const service = withOpen(await cautious())
  service.provider.next({ ...asking, toolCalls: [call('call_a', 'first'), call('call_b', 'second')] }, answering)
  const { page, problems } = await service.open(`/agents/${service.agent}`)
  const send = async (message: string) => {
    await page.getByLabel('Message', { exact: true }).fill(message)
    await page.keyboard.press('Enter')
  }
  await send('Send it')
  await page.getByRole('button', { name: 'Approve' }).nth(1).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).first().click()
  await expect.poll(() => page.getByRole('button', { name: 'Refuse' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('It is done.').waitFor()
  expect(service.calls).toEqual([{ text: 'first' }])
  await page.getByLabel('Refused').waitFor()
  const trace = page.getByRole('button', { name: 'Trace' })
  await trace.focus()
  await page.keyboard.press('Enter')
  const steps = page.getByRole('region', { name: 'Trace' }).getByRole('row')
  const stepNames = async () =>
    (await steps.getByRole('rowheader').allTextContents()).map((name) => name.split(/ (?=\d|first|refused|$)/)[0])
  await expect
    .poll(stepNames)
    .toEqual(['Load agent', 'Choose history', 'scripted-1', 'Wait for approval', 'echo_1', 'echo_1', 'scripted-1'])
  await expect.poll(() => steps.nth(3).getByRole('cell').allInnerTexts()).toContainEqual('$0.002')
  await expectAccessibleInBothThemes(page, 'trace', { within: '[role=log]' })
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('region', { name: 'Trace' }).count()).toBe(0)

  service.provider.next(
    { deltas: [], toolCalls: [call('call_1', 'forty-two', 'echo')] },
    { deltas: ['It said so.'] },
    { status: 400, body: { error: { message: 'No such model' } } },
  )
  await send('Say forty-two')
  await page.getByText('It said so.').waitFor()
  await page.locator('.step summary').last().click()
  await page.locator('.step').last().getByLabel('Result', { exact: true }).getByText('forty-two').waitFor()
  await send('Again')
  await page.getByText('Reply failed.').waitFor()
  await page.getByText(/No such model/).waitFor()
  expect(problems).toEqual([])
})

it('messages from elsewhere appear, and the completed status when the window regains focus', async () => {
  const { page, problems, conversation, say, post } = await openConversation({ deltas: ['Well.'] })
  await say(conversation, 'First')
  await page.getByText('Well.').waitFor()
  await expect.poll(() => sentMessages(page)).toEqual(['First'])
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor()
  await post(`/conversations/${conversation}/complete`)
  await focus(page)
  await page.locator('.badge').getByText('completed').waitFor()
  await expectNoButtons(page, ['Join conversation', 'Send'])
  expect(problems).toEqual([])
})

it('a conversation is watched until one joins it, and then shows who wrote, and messages that the page had missed', async () => {
  const { page, problems, conversation, say, open, tokenFor } = await openConversation({ deltas: ['Well.'] })
  const ada = await tokenFor('user', { user_id: 'ada' })
  await say(conversation, 'First', {}, { token: ada })
  await expectNoButtons(page, ['Send', 'Good reply', 'Edit message', 'Regenerate'])
  await join(page)
  await page.getByText('ada sees your messages with your name, Owner.').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('Second')
  await page.keyboard.press('Enter')
  await expect.poll(() => sentMessages(page)).toEqual(['First', 'Second'])
  await expect.poll(() => page.getByRole('article', { name: 'Reply' }).getByText('Well.').count()).toBe(2)
  const messages = (shown: Page) => shown.getByRole('log').locator('.message.user')
  await expect.poll(() => messages(page).locator('.author').allInnerTexts()).toEqual(['Owner'])
  await expectAccessibleInBothThemes(page, 'joined', { within: 'main' })
  const theirs = await open(`/chat?conversation=${conversation}`, { token: ada })
  await messages(theirs.page).nth(1).getByText('Owner').waitFor()
  await expect.poll(() => messages(theirs.page).nth(0).locator('.author').count()).toBe(0)
  expect(problems).toEqual([])
})

it('follows a reply to someone else and keeps the message it rejected', async () => {
  const { script, release } = heldReply()
  const { page, conversation, say, get } = await openConversation(script)
  await join(page)
  // A page that nobody sees does not look for news, so that it does not know of the reply yet.
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })`)
  const running = say(conversation, 'Tell me')
  await until(async () => (await get(`/conversations/${conversation}`)).body.data.messages.length === 2)
  await page.getByLabel('Message', { exact: true }).fill('My own')
  await page.keyboard.press('Enter')
  await page.getByText('Another message is being answered').waitFor()
  await page.getByText('word5').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await expect.poll(() => sentMessages(page)).toEqual(['Tell me'])
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('My own')
  release()
  await running
  await page.getByText('word59').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => sentMessages(page)).toEqual(['Tell me', 'My own'])
  await page.getByRole('article', { name: 'Reply' }).getByText('word59').nth(1).waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

it('opens the playground on a phone and stays there after sending', async () => {
  const { open, agent } = await stagedWorkspace({ deltas: ['Good', ' morning'] })
  const { page, problems } = await open(`/agents/${agent}`, { viewport: { width: 390, height: 800 } })
  const message = page.getByPlaceholder(/^Message/)
  await expect.poll(isInView).toBe(false)
  await page.getByRole('button', { name: 'Open playground' }).click()
  await message.fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Good morning').waitFor()
  await page.waitForURL(/conversation=cnv_/)
  await expect.poll(isInView).toBe(true)
  expect(problems).toEqual([])

  async function isInView(): Promise<boolean> {
    await message.waitFor()
    const { y = -1 } = (await message.boundingBox()) ?? {}
    return y > 0 && y < 800
  }
})

it('lets approvers decide from the inbox, and shows others who may', async () => {
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const { open, post, put, get, agent, provider, talk, say, tokenFor } = await stagedWorkspace({ deltas: ['Paid.'] })
  const { data: tool } = (
    await post('/api-tools', {
      name: 'pay_invoice',
      description: 'Pays an invoice.',
      method: 'POST',
      url: `${api.url}/payments`,
      parameters: { type: 'object', properties: { amount: { type: 'number' } } },
      requires_approval: true,
      approvers: { groups: ['finance'], exclude_requester: true },
    })
  ).body
  await put(`/agents/${agent}`, { tools: [tool.id] })
  const toolCalls = [{ id: 'call_a', name: 'pay_invoice', arguments: '{"amount":1200}' }]
  provider.next({ toolCalls }, { deltas: ['Paid.'] }, { toolCalls })
  const [first, second] = [await talk(), await talk()]
  const { data: reply } = (await say(first, 'Pay it')).body

  const owner = await open(`/conversations/${first}`)
  await owner.page.getByText('It is decided by members of "finance", but not whoever asked.').waitFor()
  await expect.poll(() => owner.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  const ada = await open('/chat', { token: await tokenFor('user', { user_id: 'ada', groups: ['finance'] }) })
  await ada.goTo('/approvals')
  await ada.page.getByText('Decided by members of "finance", but not whoever asked.').waitFor()
  expect(await ada.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  const fay = await tokenFor('user', { user_id: 'fay', groups: ['finance'] })
  const { page, problems } = await open('/chat', { token: fay })
  await page.getByRole('link', { name: 'Approvals 1 waiting' }).click()
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  await page.getByLabel('Arguments').getByText('1200').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Conversation' }).count()).toBe(0)
  await expectAccessibleInBothThemes(page, 'approvals', { within: 'main' })
  await page.getByLabel('Comment').fill('Within budget')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Amount').fill('900')
  await expectAccessibleInBothThemes(page, 'edited approval', { within: 'main' })
  await page.getByRole('button', { name: 'Approve with changes' }).click()
  await page.getByText('Nothing waits for approval').waitFor()
  await page.getByRole('tab', { name: 'Decided' }).click()
  await page.getByText('by fay').waitFor()
  await page.getByText('Within budget').waitFor()
  await page.getByLabel('Arguments', { exact: true }).getByText('1200').waitFor()
  await page.getByLabel('Changed arguments').getByText('900').waitFor()
  await until(async () => (await get(`/conversations/${first}/messages/${reply.id}`)).body.data.status === 'completed')
  expect(api.requests.map(({ body }) => body)).toEqual(['{"amount":900}'])

  await say(second, 'Pay it again')
  await page.getByRole('tab', { name: 'Waiting' }).click()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('pay_invoice refused').waitFor()
  expect(problems).toEqual([])

  await owner.goTo('/approvals?show=decided&status=refused')
  await owner.page.getByRole('link', { name: 'Conversation', exact: true }).click()
  await owner.page.getByText('Pay it again').first().waitFor()
})

it('opens the steps of agents that were asked in place, with a link to their conversation, and handoffs as a line', async () => {
  const { open, post, say, agent, model, provider } = await stagedWorkspace({ deltas: ['Answer'] })
  const made = async (name: string, more: object = {}): Promise<string> =>
    (await post('/agents', { name, model_id: model, ...more })).body.data.id
  const expert = await made('Invoice expert')
  const front = await made('Front', { tools: [agent], handoffs: [expert] })
  provider.next(
    { toolCalls: [{ id: 'a', name: 'A', arguments: '{"message":"Look it up"}' }] },
    { deltas: ['Found it'] },
    { toolCalls: [{ id: 'b', name: 'transfer_to_Invoice_expert', arguments: '{"reason":"It knows"}' }] },
  )
  const conversation = (await post('/conversations', { agent_id: front })).body.data.id
  await say(conversation, 'Go')
  const { page, problems } = await open(`/conversations/${conversation}`)
  await page.getByText('Passed on to Invoice expert (It knows)').waitFor()
  await page.locator('details.step summary').click()
  await page.getByRole('heading', { name: 'Steps' }).waitFor()
  await page.getByText('It called no tools.').waitFor()
  await page.getByRole('link', { name: 'Open its conversation' }).click()
  await page.getByText('Look it up').first().waitFor()
  await page.getByRole('article', { name: 'Reply' }).getByText('Found it').waitFor()
  expect(problems).toEqual([])
})
