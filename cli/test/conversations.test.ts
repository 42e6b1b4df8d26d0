import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { mayCallLoopback, scriptedApi } from '../../server/test/scripted-api.ts'
import { stage } from '../../server/test/stage.ts'
import { connected, interactive, parley } from './terminal.ts'

const mailCall = { toolCalls: [{ id: 'call_a', name: 'send_mail', arguments: '{"to":"ada"}' }] }

/** An agent that may send mails, each after an approval. */
async function withMails() {
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const here = await stage({ deltas: ['It ', 'is done.'] }, mayCallLoopback)
  const tool = await here.post('/api-tools', {
    name: 'send_mail',
    description: 'Sends a mail.',
    method: 'POST',
    url: `${api.url}/mails`,
    parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    body: { to: '{to}' },
    requires_approval: true,
  })
  await here.put(`/agents/${here.agent}`, { tools: [tool.body.data.id] })
  return { ...here, mails: api.requests, environment: connected(here) }
}

it('ask prints the answer with its sources, from arguments and from stdin', async () => {
  const here = await stage({ deltas: ['Hello ', '\u001b[2JAda'] }, mayCallLoopback)
  const environment = connected(here)
  expect(await parley(['ask', 'A', 'Who', 'am', 'I?'], { environment })).toEqual({
    code: 0,
    out: 'Hello [2JAda\n',
    err: '',
  })
  expect(here.told(0).at(-1)).toBe('Who am I?')
  const piped = await parley(['ask', here.agent, '-', '--json'], { environment, stdin: 'From a pipe\n' })
  expect(JSON.parse(piped.out)).toMatchObject({ status: 'completed', role: 'assistant' })
  expect(here.told(1).at(-1)).toBe('From a pipe')

  const { make, upload, settled } = knowledge(here)
  const source = await make()
  await upload(source, { 'rules.md': 'Parcels are delivered within three days.' })
  await settled(source)
  const tool = await here.post('/rag-tools', { name: 'rules', knowledge_source_id: source })
  await here.put(`/agents/${here.agent}`, { tools: [tool.body.data.id] })
  here.provider.next(
    { toolCalls: [{ id: 'call_s', name: 'rules', arguments: '{"query":"parcels delivered"}' }] },
    { deltas: ['Three days [1].'] },
  )
  const cited = await parley(['ask', 'A', 'How long?'], { environment })
  expect(cited.out).toMatch(/^Three days \[1\]\.\n\nSources\n\[1\] rules\.md, page 1: Parcels are delivered/)
  expect(cited.err).toMatch(/→ rules .*parcels delivered.*\n✓ rules \([\d.]+ m?s\)\n/)

  here.provider.next({ status: 400, body: { error: { message: 'No.' } } })
  expect((await parley(['ask', 'A', 'Fail'], { environment })).code).toBe(1)
  expect(await parley(['ask', 'Nobody', 'Hi'], { environment })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/There is no agent "Nobody"[\s\S]*parley agents list/),
  })
})

it('ask does not decide about approvals, and chat goes on with them', async () => {
  const { environment, provider, mails } = await withMails()
  provider.next(mailCall)
  const { code, err } = await parley(['ask', 'A', 'Write to Ada'], { environment })
  expect([code, err]).toEqual([1, expect.stringMatching(/waits for a person: send_mail[\s\S]*--conversation cnv_/)])
  const [conversation = ''] = /cnv_\w+/.exec(err) ?? []
  const chat = interactive(['chat', '--conversation', conversation], { environment })
  await chat.see(/Approval needed: send_mail → POST http.*\/mails\n\{\n {2}"to": "ada"/)
  chat.type('maybe')
  chat.type('y')
  await chat.see('It is done.')
  expect(mails).toHaveLength(1)
  chat.type('/exit')
  expect((await chat.outcome).code).toBe(0)
})

it('chat says who decides about a call if the caller may not', async () => {
  const { environment, provider, mails, tokenFor } = await withMails()
  const ada = { ...environment, PARLEY_TOKEN: await tokenFor('user', { user_id: 'ada' }) }
  const chat = interactive(['chat', 'A'], { environment: ada })
  await chat.see('/help for commands')
  provider.next(mailCall)
  chat.type('Write to Ada')
  await chat.see('You cannot decide about this call. It is decided by editors, admins and owners.')
  await chat.see('The reply waits for a person.')
  chat.type('/exit')
  expect([(await chat.outcome).code, mails]).toEqual([0, []])
})

it('chat streams replies, shows tool calls, takes decisions and starts new conversations', async () => {
  const { environment, provider, mails, told } = await withMails()
  const folder = folderOfTest()
  writeFileSync(join(folder, 'invoice.txt'), 'The invoice is due on Friday.')
  const chat = interactive(['chat', 'A'], { environment, folder })
  await chat.see('/help for commands')
  chat.type('Hello')
  await chat.see('It is done.')
  provider.next(mailCall, { deltas: ['I will not.'] })
  chat.type('Write to Ada')
  await chat.see('Allow this call?')
  chat.type('no, she is away')
  await chat.see('I will not.')
  expect(mails).toEqual([])
  expect(told(2).at(-1)).toContain('she is away')
  chat.type('/attach invoice.txt')
  await chat.see('goes with the next message')
  provider.next({ deltas: ['On Friday.'] })
  chat.type('When is it \\')
  chat.type('due?')
  await chat.see('On Friday.')
  expect(JSON.stringify(told(3))).toMatch(/When is it \\+ndue\?/)
  expect(JSON.stringify(told(3))).toContain('due on Friday')
  provider.next({ deltas: ['Once more.'] })
  chat.type('/retry')
  await chat.see('Once more.')
  chat.type('/info')
  await chat.see(/conversation cnv_\w+\n\d+ messages/)
  chat.type('/nonsense')
  await chat.see('There is no command /nonsense')
  chat.type('/new')
  await chat.see('A new conversation.')
  provider.next({ deltas: ['Fresh.'] })
  chat.type('Who are you?')
  await chat.see('Fresh.')
  expect(told(5).filter((text) => text === 'Hello')).toEqual([])
  chat.type('/exit')
  expect((await chat.outcome).out).toMatch(/Continue with: parley chat --conversation cnv_\w+\n$/)
})

it('Ctrl-C stops the reply and not the chat, and leaves when pressed twice', async () => {
  const here = await stage({ deltas: ['Back again.'] }, mayCallLoopback)
  const environment = connected(here)
  here.provider.next({ deltas: ['One ', 'two ', 'three'], fault: 'stall', after: 2, delay: 1 })
  const chat = interactive(['chat', 'A'], { environment })
  chat.type('Count')
  await chat.see('One two')
  chat.press('\u0003')
  await chat.see('Stopped.')
  chat.type('Hello?')
  await chat.see(/Back again\.[\s\S]*> /) // the prompt: the reply has ended
  chat.press('\u0003')
  await chat.see('Press Ctrl-C again')
  chat.press('\u0003')
  expect((await chat.outcome).code).toBe(130)
})

it('chat answers the lines of a pipe, and fails if a reply failed', async () => {
  const here = await stage({ deltas: ['Yes.'] }, mayCallLoopback)
  const environment = connected(here)
  const { code, out } = await parley(['chat', 'A'], { environment, stdin: 'One?\nTwo?\n' })
  expect([code, out]).toEqual([0, 'Yes.\nYes.\n'])
  expect(here.told(1)).toEqual(expect.arrayContaining(['One?', 'Yes.', 'Two?']))
  here.provider.next({ status: 400, body: { error: { message: 'No.' } } })
  expect((await parley(['chat', 'A'], { environment, stdin: 'Fail' })).code).toBe(1)
  expect((await parley(['chat'], { environment })).code).toBe(2)
})
