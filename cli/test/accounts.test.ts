import { expect, it } from 'vitest'
import { addQuestion, asksForDay, withCalendar } from '../../server/test/account-stage.ts'
import { connectedClient } from '../../server/test/connected-client.ts'
import { startService } from '../../server/test/harness.ts'
import { consent } from '../../server/test/oauth-server.ts'
import { connected, interactive, parley } from './terminal.ts'

it('chat connects an account and answers the form of a tool; connections are listed and removed', async () => {
  const here = await withCalendar()
  const { provider, put, agent, tool, get, callback } = here
  await put(`/agents/${agent}`, { tools: [tool, await addQuestion(here)] })
  const environment = { ...connected(here), PARLEY_TOKEN: await here.tokenFor('user', { user_id: 'ada' }) }
  const run = (...argv: string[]) => parley(['connections', ...argv], { environment })
  const linkIn = (text: string) => /http\S+\/authorize\?\S+/.exec(text)?.[0] ?? ''
  expect((await run('list')).out).toContain('parley connections connect <tool>')

  provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] }, asksForDay('c2'))
  const chat = interactive(['chat', 'A'], { environment })
  await chat.see('/help for commands')
  chat.type('Book a table')
  await chat.see(/Connect your account: calendar\nhttp[\s\S]*Press Enter when it is connected/)
  expect((await callback(await consent(linkIn(chat.shown())))).status).toBe(200)
  chat.type('')
  await chat.see('When shall I book?')
  chat.type('y')
  await chat.see('Day (monday, friday): ')
  chat.type('friday')
  await chat.see('People, optional [2]: ')
  chat.type('')
  await chat.see('Done')
  chat.type('/exit')
  expect((await chat.outcome).code).toBe(0)
  const [conversation] = (await get('/conversations?user_id=ada')).body.data
  const { messages } = (await get(`/conversations/${conversation.id}`)).body.data
  expect(messages.at(-1).tool_calls[1].inputs).toMatchObject([
    { action: 'accept', content: { day: 'friday', people: 2 }, answered_by: 'ada' },
  ])

  const [row] = JSON.parse((await run('list', '--json')).out)
  expect((await run('list')).out).toMatch(/calendar +ada +http\S+ +connected/)
  expect((await run('remove', row.id, '--yes')).out).toMatch(/^Disconnected the account at http/)
  const link = linkIn((await run('connect', 'calendar')).out)
  expect((await callback(await consent(link))).status).toBe(200)
  expect(JSON.parse((await run('list', '--json')).out)).toMatchObject([{ tool_name: 'calendar', status: 'connected' }])
  expect(await run('connect', 'mail')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no tool "mail"[\s\S]*Tools that use accounts: calendar/),
  })
})

it('clients lists the programs that are connected to the MCP server, and disconnects them', async () => {
  const here = await startService()
  const environment = connected(here)
  const run = (...argv: string[]) => parley(['clients', ...argv], { environment })
  expect((await run('list')).out).toContain('No program is connected.')
  const id = await connectedClient(here)
  expect((await run('list')).out).toMatch(new RegExp(`${id} +Claude +claude\\.example`))
  expect(JSON.parse((await run('list', '--json')).out)).toMatchObject([{ id, name: 'Claude' }])
  expect((await run('remove', id, '--yes')).out).toBe(`Disconnected Claude (${id}).\n`)
  expect(JSON.parse((await run('list', '--json')).out)).toEqual([])
})
