import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Json, until } from '../../../../test/harness.ts'
import { stage } from '../../../../test/stage.ts'
import { removeOld } from '../../../kernel/retention.ts'
import { day } from '../../../kernel/time.ts'
import { indexMessages, queueOldMessages } from './index-messages.ts'

type Stage = Awaited<ReturnType<typeof stage>>

const talk = async (here: Stage, messages: string[], more: object = {}): Promise<string> => {
  const { id } = (await here.post('/conversations', { agent_id: here.agent, ...more })).body.data
  for (const message of messages) await here.post(`/conversations/${id}/messages`, { message })
  return id
}
const found = async (here: Stage, query: string, more: object = {}): Promise<string[]> =>
  (await here.get(`/conversations?sort=id&order=asc&${query}`, more)).body.data.map(({ id }: Json) => id)
const text = (search: string) => `search=${encodeURIComponent(search)}`
const indexed = async ({ ctx }: Stage): Promise<number> => {
  const table = ctx.engine === 'postgres' ? 'message_words' : 'message_words_index'
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(ctx.db)
  return Number(rows[0]?.n)
}
/** The words that a match highlights. */
const marked = ({ snippet, highlights }: Json): string[] =>
  highlights.map(({ start, end }: Json) => snippet.slice(start, end))

describe('conversations', () => {
  it('are found by what was said in them, in any script, with the words highlighted', async () => {
    const here = await stage({ deltas: ['The parcel has left our warehouse.'] })
    const german = await talk(here, ['Wo ist die Rechnung für das Café in ZÜRICH?'])
    const long = await talk(here, [
      'First.',
      `${'Nothing to see. '.repeat(40)}An overdue\ninvoice. ${'More. '.repeat(99)}`,
    ])
    const chinese = await talk(here, ['请把发票寄给我', '\'); drop table message; -- 100% "quoted" AND'])
    expect(await found(here, text('zurich rechnung'))).toEqual([german])
    expect(await found(here, text('ZÜRI'))).toEqual([german]) // the beginning of a word
    expect(await found(here, text('urich'))).toEqual([])
    expect(await found(here, text('invoice overdue'))).toEqual([long])
    expect(await found(here, text('first invoice'))).toEqual([]) // in different messages
    expect(await found(here, text('发票'))).toEqual([chinese])
    expect(await found(here, text('票发'))).toEqual([])
    expect(await found(here, text('"quoted" AND 100% -- drop'))).toEqual([chinese])
    expect(await found(here, text('parcel'))).toEqual([german, long, chinese])
    expect(await found(here, text('?!'))).toEqual([])
    await here.put(`/conversations/${long}`, { title: 'About Timbuktu' })
    expect(await found(here, text('timbuktu'))).toEqual([long])

    const [row] = (await here.get(`/conversations?${text('invo overdue')}`)).body.data
    expect(row.matches).toHaveLength(1)
    expect(row.matches[0]).toMatchObject({ role: 'user', message_id: expect.stringMatching(/^msg_/) })
    expect(row.matches[0].snippet).toMatch(/^….*An overdue invoice\..*…$/)
    expect(row.matches[0].snippet.length).toBeLessThan(300)
    expect(marked(row.matches[0])).toEqual(['overdue', 'invoice'])
    const [other] = (await here.get(`/conversations?${text('cafe')}`)).body.data
    expect(marked(other.matches[0])).toEqual(['Café'])
    const [last] = (await here.get(`/conversations?${text('发票')}`)).body.data
    expect(marked(last.matches[0])).toEqual(['发票'])
    expect((await here.get('/conversations')).body.data[0]).not.toHaveProperty('matches')
  })

  it('are found at once, however many messages of other workspaces wait to be indexed', async () => {
    const other = await stage({ deltas: ['Yes.'] })
    const { db } = other.ctx
    const conversation = await talk(other, ['Hello'])
    const message = db.selectFrom('message').selectAll().where('conversation_id', '=', conversation)
    const row = await message.where('role', '=', 'user').executeTakeFirstOrThrow()
    const ids = Array.from({ length: 250 }, (_, n) => `msg_${row.id.slice(4, 20)}${`${n}`.padStart(10, '0')}`)
    await db
      .insertInto('message')
      .values(ids.map((id) => ({ ...row, id })))
      .execute()
    await db
      .insertInto('message_unindexed')
      .values(ids.map((id) => ({ id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const here = await stage({ deltas: ['The heron flies.'] })
    const birds = await talk(here, ['What flies?'])
    expect(await found(here, text('heron'))).toEqual([birds])
  })

  it('of others and of other workspaces are not found', async () => {
    const here = await stage({ deltas: ['Fine.'] })
    const mine = await talk(here, ['The secret plan'], { user_id: 'ada' })
    const theirs = await talk(here, ['Another secret plan'], { user_id: 'bob' })
    const token = await here.tokenFor('user', { user_id: 'ada' })
    expect(await found(here, text('secret'), { token })).toEqual([mine])
    expect(await found(here, `${text('secret')}&user_id=bob`, { token })).toEqual([])
    expect(await found(here, `${text('secret')}&user_id=bob`)).toEqual([theirs])
    const elsewhere = (await here.post('/workspaces', { name: `Elsewhere ${mine}` })).body.data.id
    expect(await found(here, text('secret'), { headers: { 'x-workspace': elsewhere } })).toEqual([])
    const { workspace } = (await here.get('/me')).body.data
    for (const word of [workspace.id, 'wsp', 'u_']) expect(await found(here, text(word))).toEqual([])
  })

  it('of the caller are found page by page, with or without a user', async () => {
    const here = await stage({ deltas: ['Fine.'] })
    const own = [await talk(here, ['The secret plan']), await talk(here, ['My secret'])]
    const ofAda = await talk(here, ['Another secret plan'], { user_id: 'ada' })
    const ofRun = await talk(here, ['A tested secret'])
    await here.ctx.db.updateTable('conversation').set({ evaluation_id: 'evl_a' }).where('id', '=', ofRun).execute()
    const page = async (n: number) =>
      (await here.get(`/conversations?mine=true&order=asc&sort=id&limit=1&page=${n}`)).body
    for (const [at, id] of own.entries())
      expect(await page(at + 1)).toMatchObject({ data: [{ id }], pagination: { total: 2, pages: 2 } })
    expect(await found(here, `mine=true&${text('secret')}`)).toEqual(own)
    for (const role of ['user', 'admin'] as const) {
      const token = await here.tokenFor(role, { user_id: 'ada' })
      expect(await found(here, 'mine=true', { token })).toEqual([ofAda])
      expect(await found(here, `mine=true&${text('secret')}`, { token })).toEqual([ofAda])
      expect(await found(here, 'mine=true&user_id=bob', { token })).toEqual([])
    }
    expect(await found(here, 'mine=false')).toHaveLength(4)
  })

  it('are filtered by agent, rating, error, cost and date, also in exports', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const reply = { deltas: ['Fine.'], usage: { input: 1000, output: 1000 } }
    const here = await stage(reply, { now: () => time })
    const good = await talk(here, ['An invoice, please'])
    time += day
    const dear = await talk(here, ['An invoice, please', 'And again', 'And again'])
    time += day
    const other = (await here.post('/agents', { name: 'Other', model_id: here.model, system_prompt: 'Be kind.' })).body
      .data.id
    const bad = await talk(here, ['An invoice, please'], { agent_id: other })
    await here.ctx.db
      .updateTable('message')
      .set({ status: 'failed' })
      .where('conversation_id', '=', bad)
      .where('role', '=', 'assistant')
      .execute()
    const [, message] = (await here.get(`/conversations/${good}/messages`)).body.data
    await here.post(`/conversations/${good}/messages/${message.id}/feedback`, { rating: 'down' })
    const one = message.usage.cost
    expect(one).toBeGreaterThan(0)
    const cases: [string, string[]][] = [
      [`agent_id=${other}`, [bad]],
      ['rating=down', [good]],
      ['rating=up', []],
      ['has_error=true', [bad]],
      ['has_error=false', [good, dear]],
      [`cost_gte=${2 * one}`, [dear]],
      [`cost_lte=${one}`, [good, bad]],
      [`cost_gte=${one}&cost_lte=${one}`, [good, bad]],
      ['created_at_gte=2026-03-02', [dear, bad]],
      ['created_at_lte=2026-03-02', [good, dear]],
      ['created_at_gte=2026-03-02&created_at_lte=2026-03-02T23:00:00Z&has_error=false', [dear]],
    ]
    for (const [query, ids] of cases) {
      for (const search of ['', `&${text('invoice')}`])
        expect([query, search, await found(here, query + search)]).toEqual([query, search, ids])
      const lines = (await here.get(`/conversations/export?${text('invoice')}&${query}`)).body.trim().split('\n')
      const exported = lines.filter(Boolean).map((line: string) => JSON.parse(line).id)
      expect([query, exported]).toEqual([query, ids])
    }
    const refused = await here.get('/conversations?cost_gte=much')
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'cost_gte'])
  })

  it('say when there are more matches than a search looks at', async () => {
    const here = await stage({ deltas: ['Fine.'] })
    const id = await talk(here, ['A zeppelin'])
    expect((await here.get(`/conversations?${text('zeppelin')}`)).body).not.toHaveProperty('message')
    const { db } = here.ctx
    const [row] = await db.selectFrom('message').selectAll().where('conversation_id', '=', id).orderBy('id').execute()
    const copies = Array.from({ length: 10_000 }, (_, n) => ({
      ...row,
      id: `msg_00000000${String(n).padStart(6, '0')}`,
    }))
    for (let at = 0; at < copies.length; at += 500)
      await db
        .insertInto('message')
        .values(copies.slice(at, at + 500) as never)
        .execute()
    // The job does the same, but takes long on Postgres.
    if (here.ctx.engine === 'postgres')
      await sql`insert into message_words (message_id, conversation_id, words)
        select id, message.conversation_id, words from message, message_words
        where message_id = ${row?.id} and message.conversation_id = ${id} on conflict do nothing`.execute(db)
    else await indexMessages(here.ctx)
    const { message, data } = (await here.get(`/conversations?${text('zeppelin')}`)).body
    expect([data[0].id, message]).toEqual([id, expect.stringMatching(/^Only the newest 10,000 messages/)])
  })

  it('leave the index when they are deleted or expire, and enter it when they were there before it', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const here = await stage({ deltas: ['Fine.'] }, { now: () => time })
    const [first, second] = [
      await talk(here, ['Zeppelin one'], { title: 'One' }),
      await talk(here, ['Zeppelin two'], { title: 'Two' }),
    ]
    await indexMessages(here.ctx)
    const rows = here.ctx.engine === 'postgres' ? 'message_words' : 'message_words_index_row'
    // The job of the service may index at the same time.
    await until(async () => {
      await sql`delete from ${sql.table(rows)}`.execute(here.ctx.db) // as after a move to Postgres
      await queueOldMessages(here.ctx)
      await indexMessages(here.ctx)
      return (await indexed(here)) === 4
    })
    expect(await found(here, text('zeppelin'))).toEqual([first, second])
    await here.remove(`/conversations/${first}`)
    expect(await found(here, text('zeppelin'))).toEqual([second])
    expect(await indexed(here)).toBe(2)
    time += 10 * day
    await removeOld(here.ctx, time - day)
    expect(await indexed(here)).toBe(0)
  })
})
