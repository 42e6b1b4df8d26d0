import { expect, it } from 'vitest'
import { mcpServer } from '../../server/test/mcp-server.ts'
import { oauthServer } from '../../server/test/oauth-server.ts'
import { scriptedApi } from '../../server/test/scripted-api.ts'
import { expectAccessibleInBothThemes } from './accessibility.ts'
import { stagedWorkspace } from './console.ts'
import { expectFitting } from './every-page/check.ts'

it('connects an account in the chat, answers the form of a tool, and disconnects in the settings', async () => {
  const oauth = await oauthServer()
  const api = await scriptedApi(({ headers }) =>
    oauth.accepts(headers.authorization) ? { body: { event: 'Lunch' } } : { status: 401 },
  )
  const question = {
    mode: 'form',
    message: 'When shall I book?',
    requestedSchema: {
      type: 'object',
      properties: {
        day: { type: 'string', title: 'Day', enum: ['monday', 'friday'] },
        people: { type: 'integer', title: 'People', description: 'How many come?' },
        outside: { type: 'boolean', title: 'Outside' },
      },
      required: ['day'],
    },
  }
  const server = await mcpServer([
    {
      name: 'book',
      annotations: { readOnlyHint: true },
      async run(_args, _report, elicit) {
        const answer = await elicit(question)
        return 'resultType' in answer ? answer : { content: [{ type: 'text', text: JSON.stringify(answer) }] }
      },
    },
  ])
  const { open, post, put, get, agent, provider, tokenFor } = await stagedWorkspace({ deltas: ['Done'] })
  const addresses = { authorization_url: `${oauth.url}/authorize`, token_url: `${oauth.url}/token` }
  const auth = { type: 'oauth2', client_id: 'parley', scopes: ['calendar.read'], ...addresses }
  const calendar = { name: 'calendar', description: 'D', url: `${api.url}/events`, auth }
  const table = { name: 'table', description: 'D', type: 'mcp', url: server.url }
  const tools = [(await post('/api-tools', calendar)).body.data.id, (await post('/api-tools', table)).body.data.id]
  await put(`/agents/${agent}`, { tools })
  provider.next(
    { toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] },
    { toolCalls: [{ id: 'c2', name: 'table_book', arguments: '{}' }] },
  )
  const { page, goTo } = await open(`/chat?agent=${agent}`, { token: await tokenFor('user', { user_id: 'ada' }) })
  await page.getByLabel('Message', { exact: true }).fill('Book a table')
  await page.keyboard.press('Enter')
  const connect = page.getByRole('button', { name: 'Connect calendar' })
  await connect.waitFor()
  await expectAccessibleInBothThemes(page, 'an account to connect')
  const opened = page.context().waitForEvent('page')
  await connect.click()
  await (await opened).getByRole('heading', { name: 'calendar is connected' }).waitFor()

  await page.getByText('When shall I book?').waitFor()
  await page.getByRole('combobox', { name: 'Day' }).selectOption('friday')
  await page.getByLabel('People').fill('3')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect.poll(() => page.getByText('Done').count()).toBeGreaterThan(0)
  const [conversation] = (await get('/conversations?user_id=ada')).body.data
  const { messages } = (await get(`/conversations/${conversation.id}`)).body.data
  expect(messages.at(-1).tool_calls[1].inputs).toMatchObject([
    { action: 'accept', content: { day: 'friday', people: 3 }, answered_by: 'ada' },
  ])

  await goTo('/settings?tab=connections')
  await page.getByRole('cell', { name: 'connected' }).waitFor()
  await expectFitting(page, 'connected accounts')
  await page.getByRole('button', { name: /^Disconnect/ }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('No account is connected.').waitFor()
  expect((await get('/connections?user_id=ada')).body.data).toEqual([])
  await page.getByRole('button', { name: 'Connect calendar' }).click()
  await page.getByRole('heading', { name: 'calendar is connected' }).waitFor()
  const [again] = (await get('/connections?user_id=ada')).body.data
  expect(again.status).toBe('connected')
})
