import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { type Service, startService, until } from '../../server/test/harness.ts'
import { freePort } from '../../server/test/services/free-port.ts'
import { stageOn } from '../../server/test/stage.ts'
import { start } from './run.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ shared: true, environment: { EGRESS_ALLOW: '127.0.0.1' } })
})

/** An example that ends by itself. */
async function run(name: string, more: Parameters<typeof start>[2] & { input?: string } = {}) {
  const { child, output, ended } = start(service, name, more)
  child.stdin?.end(more.input)
  return { code: await ended, output: output() }
}

/** Creates the evaluation and runs it, as the workflow of the example does. */
async function runGate(agent: string, ...options: string[]) {
  const environment = { AGENT: agent }
  const created = await run('evaluation-gate', { environment })
  expect(created).toEqual({ code: 0, output: `Run it: npx parley eval run "${agent}, nightly" --gate\n` })
  const args = ['eval', 'run', `${agent}, nightly`, '--gate', ...options]
  return run('../bin/parley.js', { args })
}

it('support-bot cites the manual, and evaluation-gate and nightly-gate pass it', async () => {
  const bot = await run('support-bot', { args: ['How often should I descale the machine?'] })
  expect(bot).toEqual({
    code: 0,
    output: expect.stringMatching(/^\[1\] manual\.pdf, page 2: "[^"]*Descale the machine/m),
  })
  const report = join(folderOfTest(), 'results.xml')
  const gate = await runGate('Brew One support', '--junit', report)
  expect(gate).toEqual({ code: 0, output: expect.stringContaining('Gate passed') })
  expect(readFileSync(report, 'utf8')).toMatch(/<testsuite [^>]*tests="3" failures="0"/)
  const nightly = await run('nightly-gate')
  expect(nightly).toEqual({ code: 0, output: expect.stringMatching(/^Next run: \S+:00Z\nRun succeeded\n$/) })
}, 300_000) // a PDF is read first, by threads of low priority

it('research-team asks two agents in conversations of their own', async () => {
  const { code, output } = await run('research-team')
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/three days[\s\S]* \[[12]\][\s\S]*two weeks[\s\S]* \[[12]\]/),
  ])
  expect(output.match(/^cnv_\w+: 2 messages, called/gm)?.length).toBe(2)
}, 120_000)

it('companion remembers, and forgets what is deleted', async () => {
  const { code, output } = await run('companion')
  expect([code, output]).toEqual([0, expect.stringContaining('remembered: My favourite colour is green.')])
  expect(output.match(/You told me: My favourite colour is green\./g)).toHaveLength(1)
})

it('weather-agent calls the API once a person has approved', async () => {
  const question = 'The agent wants to call get_weather {"city":"Bern"}. Approve? [y/n]'
  const [approved, refused] = [
    await run('weather-agent', { input: 'y\n' }),
    await run('weather-agent', { input: 'n\n' }),
  ]
  expect([approved.code, refused.code]).toEqual([0, 0])
  for (const { output } of [approved, refused]) expect(output).toContain(question)
  expect(approved.output).toMatch(/asked for Bern[\s\S]*light rain/)
  expect(refused.output).not.toContain('asked for Bern')
  const decided = (await service.get('/approvals')).body.data.map(({ status }: { status: string }) => status)
  expect(decided).toEqual(['refused', 'approved'])
})

it('calendar-agent reads the calendar of the person who asks, once it is connected', async () => {
  const { code, output } = await run('calendar-agent', { input: '\n' })
  expect([code, output]).toEqual([0, expect.stringMatching(/authorize\?[\s\S]*Ada has allowed[\s\S]*Lunch with Grace/)])
})

it('openai-client and mcp-client talk to an agent, and evaluation-gate and nightly-gate refuse it', async () => {
  const here = await stageOn(service, { deltas: ['From the', ' guide.'] }, { name: 'Parley guide' })
  const [openai, mcp, gate] = await Promise.all([run('openai-client'), run('mcp-client'), runGate('Parley guide')])
  expect(openai).toEqual({
    code: 0,
    output: expect.stringMatching(/streamed:\nFrom the guide\.[\s\S]*(From the guide\.\s+){2}$/),
  })
  const history = here.provider.requests.map(({ body }) => (body.messages as { content: string }[]).slice(1))
  const contents = history.map((messages) => messages.map(({ content }) => content))
  expect(contents).toContainEqual(['How do I start Parley?', 'From the guide.', 'How do I stop Parley?'])
  expect(mcp).toEqual({
    code: 0,
    output: expect.stringMatching(/^ask_parley_guide: [\s\S]*How do I stop Parley\?\nFrom the guide\./m),
  })
  expect(gate).toEqual({ code: 1, output: expect.stringContaining('Gate failed') })
  const nightly = await run('nightly-gate', { environment: { EVALUATION: 'Parley guide, nightly' } })
  expect(nightly).toEqual({ code: 1, output: expect.stringContaining('Run failed: The verdict is "failed".') })
})

it('support-ticket starts an agent with a ticket', async () => {
  const answered = await run('support-ticket', { args: ['The printer is on fire'] })
  expect(answered).toEqual({ code: 0, output: expect.stringMatching(/^Run succeeded: ./) })
  const [{ id }] = (await service.get('/triggers')).body.data
  const [{ body }] = (await service.get(`/triggers/${id}/runs`)).body.data
  expect(JSON.parse(body).ticket.title).toBe('The printer is on fire')
})

it('webhook-receiver takes each signed delivery once, and nothing else', async () => {
  const port = await freePort()
  const answers: number[] = []
  // Delivers everything twice, as somebody who has recorded a delivery could.
  const relay = createServer(async (request, response) => {
    const body = new Uint8Array(await buffer(request))
    const headers = new Headers(request.headers as Record<string, string>)
    const send = async (content: Uint8Array<ArrayBuffer>) => {
      const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: content })
      answers.push(status)
    }
    headers.delete('content-length')
    headers.delete('connection')
    await send(body)
    await send(body)
    await send(new TextEncoder().encode('{"type":"forged"}'))
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void relay.close())
  await once(relay, 'listening')
  const environment = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
  }
  const receiver = start(service, 'webhook-receiver', { environment })
  await expect.poll(() => answers).toEqual([204, 204, 401])
  expect(receiver.output().match(/Parley: \S+/g)).toEqual(['Parley: webhook.test'])
  receiver.child.kill('SIGINT')
  expect(await receiver.ended).toBe(0)
  expect((await service.get('/webhooks')).body.data).toEqual([])
})

it('canary starts with the newest version, and is taken back if people dislike it', async () => {
  const here = await stageOn(service, { deltas: ['Hello.'] }, { name: 'Released' })
  const canary = () => run('canary', { environment: { AGENT: 'Released' } })
  expect((await canary()).output).toMatch(/^Version 1 is in production\./)
  await here.put(`/agents/${here.agent}`, { system_prompt: 'Be rude.' })
  expect((await canary()).output).toBe('Version 2 answers one conversation in five.\n')
  expect(await canary()).toEqual({ code: 0, output: expect.stringMatching(/^Not enough data yet: /) })
  await here.put(`/agents/${here.agent}`, { system_prompt: 'Be kind again.' })
  expect(await canary()).toEqual({ code: 0, output: expect.stringMatching(/^Not enough data yet: /) })
  const rate = async (user: number) => {
    const { id } = (await here.post('/conversations', { agent_id: here.agent, user_id: `u${user}` })).body.data
    const reply = (await here.say(id, 'Hello')).body.data
    const isCanary = reply.agent_version === 2
    const rating = isCanary ? 'down' : 'up'
    await here.post(`/conversations/${id}/messages/${reply.id}/feedback`, { rating })
    return isCanary ? 1 : 0
  }
  let rated = 0
  for (let user = 0; rated < 50; user += 10) {
    const labels = await Promise.all(Array.from({ length: 10 }, (_, at) => rate(user + at)))
    rated += labels.reduce<number>((sum, each) => sum + each, 0)
  }
  expect(await canary()).toEqual({ code: 1, output: 'version 2 is worse than version 1.\nTook version 2 back.\n' })
  expect((await canary()).output).toBe('Version 3 answers one conversation in five.\n')
}, 120_000)

it('live-quality creates a monitor, and fails while scores are low', async () => {
  const here = await stageOn(service, { deltas: ['No idea.'] }, { name: 'Watched' })
  const watch = () => run('live-quality', { environment: { AGENT: 'Watched' } })
  expect(await watch()).toEqual({ code: 0, output: expect.stringContaining('Watched: live quality was created.') })
  const [monitor] = (await here.get('/monitors')).body.data
  await here.put(`/monitors/${monitor.id}`, { alert: { below: 0.6, window: 1 } })
  await here.say(await here.talk(), 'Hello')
  await service.ctx.db.transaction().execute((tx) => service.ctx.jobs.enqueue(tx, 'monitors.find', { workspace: null }))
  await until(async () => (await here.get(`/monitors/${monitor.id}/summary`)).body.data.replies.scored === 1)
  const { code, output } = await watch()
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/latency: 1\.00 over 1 replies\nregex: 0\.00.*Low: regex\./s),
  ])
})
