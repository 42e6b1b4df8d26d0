import { describe, expect, it } from 'vitest'
import { type Json, until } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { type Stage, stage } from '../../../test/stage.ts'

const key = (value = 'k') => ({ headers: { 'idempotency-key': value } })
const cut: Script = { deltas: ['Half', ' more'], fault: 'cut', after: 1, delay: 1 }

const listMessages = async ({ get }: Pick<Stage, 'get'>, id: string): Promise<Json[]> =>
  (await get(`/conversations/${id}`)).body.data.messages
const contents = (messages: Json[]) => messages.map(({ content, status }) => [content, status])

describe('a request repeated with its idempotency key', () => {
  it.each([false, true])('replaces a reply that failed, without a second question (stream: %s)', async (stream) => {
    const here = await stage(cut)
    const id = await here.talk()
    const ask = () => here.say(id, 'Hi', { stream }, key())
    const failed = await ask()
    expect(failed.status).toBe(stream ? 200 : 502)
    const [, first] = await listMessages(here, id)
    expect(first).toMatchObject({ status: 'failed', content: 'Half' })
    here.provider.next({ deltas: ['Whole'] })
    const again = await ask()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    const messages = await listMessages(here, id)
    expect(contents(messages)).toEqual([
      ['Hi', 'completed'],
      ['Whole', 'completed'],
    ])
    expect(here.told(1)).toEqual(['Be kind.', 'Hi'])
    // The failed reply is still there, as an earlier version.
    expect((await here.get(`/conversations/${id}/messages/${first.id}`)).body.data).toEqual({
      ...first,
      versions: [first.id, messages[1].id],
    })
    // A streamed response is stored just after its client has got it.
    const replayed = await until(async () => {
      const answer = await ask()
      return answer.status === 200 && answer
    })
    expect([replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([again.body, 'true'])
    expect(here.provider.requests).toHaveLength(2)
  })

  it('replaces the reply again where it was to be regenerated', async () => {
    const here = await stage()
    const id = await here.talk()
    const { id: replaced } = (await here.say(id, 'Hi')).body.data
    const path = `/conversations/${id}/messages/${replaced}/regenerate`
    here.provider.next(cut, { deltas: ['Better'] })
    expect((await here.post(path, {}, key())).status).toBe(502)
    expect((await here.post(path, {}, key())).body.data.content).toBe('Better')
    expect(contents(await listMessages(here, id))).toEqual([
      ['Hi', 'completed'],
      ['Better', 'completed'],
    ])
  })

  it('gets the reply that it has started if its response was lost in a crash', async () => {
    const here = await stage({ deltas: ['Hel', 'lo'] })
    const id = await here.talk()
    const first = await here.say(id, 'Hi', {}, key())
    // This is the state in which a process leaves it that ends between the reply and the response.
    await here.ctx.db
      .updateTable('idempotency')
      .set({ status: null, held_until: 0 })
      .where('started_id', '=', first.body.data.id)
      .execute()
    expect((await here.say(id, 'Hi', {}, key())).body).toEqual(first.body)
    expect(here.provider.requests).toHaveLength(1)
  })

  it('gets the interrupted reply as it is once the conversation has gone on', async () => {
    const here = await stage(cut)
    const id = await here.talk()
    expect((await here.say(id, 'Hi', { stream: true }, key())).status).toBe(200)
    here.provider.next({ deltas: ['Fine'] })
    expect((await here.say(id, 'Never mind')).status).toBe(200)
    const again = await here.say(id, 'Hi', { stream: true }, key())
    expect(again.body).toContain('event: message.failed')
    expect(await listMessages(here, id)).toHaveLength(4)
    expect(here.provider.requests).toHaveLength(2)
  })

  it('asks once through MCP', async () => {
    const here = await stage(cut)
    const params = { name: 'ask_a', arguments: { message: 'Hi' } }
    const ask = () => here.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, key())
    expect((await ask()).body).toContain('provider_error')
    here.provider.next({ deltas: ['Whole'] })
    expect((await ask()).body).toContain('Whole')
    const { data, pagination } = (await here.get('/conversations')).body
    expect(pagination.total).toBe(1)
    expect(contents(await listMessages(here, data[0].id))).toEqual([
      ['Hi', 'completed'],
      ['Whole', 'completed'],
    ])
  })
})
