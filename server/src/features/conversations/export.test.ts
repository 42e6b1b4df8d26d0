import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

const parseLines = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

it('all conversations come out whole, one on a line', async () => {
  const here = await stage({ deltas: ['Hi'] })
  const first = await here.talk()
  for (let n = 0; n < 3; n++) await here.say(first, `Message ${n}\nof two lines`)
  const ids = [first]
  for (let n = 0; n < 60; n++) ids.push((await here.post('/conversations', { agent_id: here.agent })).body.data.id)
  // More messages than are read at a time.
  const [like] = await here.ctx.db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', first)
    .limit(1)
    .execute()
  const extraMessages = Array.from({ length: 250 }, (_, n) => ({
    ...(like as Json),
    id: `msg_zzz${String(n).padStart(4, '0')}`,
    content: String(n),
  }))
  await here.ctx.db.insertInto('message').values(extraMessages).execute()
  const answer = await here.get('/conversations/export')
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = parseLines(answer.body)
  expect(lines.map(({ id }) => id)).toEqual(ids)
  expect(lines[0].messages).toHaveLength(256)
  expect(lines[0].messages.at(-1).content).toBe('249')
  const shown = (await here.get(`/conversations/${ids[1]}`)).body.data
  expect(lines[1]).toEqual(shown)

  expect(parseLines((await here.get('/conversations/export?user_id=ada')).body)).toHaveLength(1)
  expect(parseLines((await here.get('/conversations/export?status=completed')).body)).toHaveLength(0)
  const wrong = await here.get('/conversations/export?color=red')
  expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'color'])
  const bob = await here.tokenFor('user', { user_id: 'bob' })
  const own = (await here.post('/conversations', { agent_id: here.agent }, { token: bob })).body.data.id
  expect(parseLines((await here.get('/conversations/export', { token: bob })).body).map(({ id }) => id)).toEqual([own])
}, 300_000)
