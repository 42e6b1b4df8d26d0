import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testKey } from '../../../test/config.ts'
import {
  freshEnvironment,
  type Json,
  onPostgres,
  startOn,
  startService,
  until,
  type Workspace,
} from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { removeOld } from '../../kernel/retention.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { day } from '../../kernel/time.ts'
import { eraseActor } from './erase.ts'

type Verifying = Pick<Workspace, 'get'>

const verify = async ({ get }: Verifying, query = '') => (await get(`/audit/verify${query}`)).body.data as Json

const listEntries = async ({ get }: Verifying): Promise<Json[]> =>
  (await get('/audit?sort=sequence&order=asc&limit=100')).body.data

/** A workspace with seven sealed entries: its token and six agents. */
async function withEntries() {
  const here = await startService()
  for (let n = 1; n <= 6; n++) await here.post('/agents', { name: `Agent ${n}` })
  const before = await verify(here)
  expect(before).toMatchObject({ valid: true, entries: 7, unsealed: 0, problems: [], anchor: null, noted_head: null })
  expect(before.head.sequence).toBe(7)
  const { db } = here.ctx
  const entry = (sequence: number) =>
    db.updateTable('audit_entry').where('workspace_id', '=', here.workspace).where('sequence', '=', sequence)
  const remove = (sequence: number) =>
    db.deleteFrom('audit_entry').where('workspace_id', '=', here.workspace).where('sequence', '=', sequence).execute()
  const problems = async () => {
    const { valid, problems } = await verify(here)
    expect(valid).toBe(problems.length === 0)
    return problems.map(({ sequence, problem }: Json) => [sequence, problem])
  }
  return { ...here, before, entry, remove, problems }
}

describe('the chain of the audit log', () => {
  it('numbers the entries and hashes each with those before it', async () => {
    const here = await withEntries()
    const entries = await listEntries(here)
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(7)
    expect(entries.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(entries[6]?.hash).toBe(here.before.head.hash)
  })

  it.each([
    ['action', 'delete'],
    ['kind', 'model'],
    ['resource_id', 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc'],
    ['fields', '["name","tools"]'],
    ['token_id', 'tok_01k9z8q4m6e3v7t2w5x8y1a4bc'],
    ['token_name', 'Somebody else'],
    ['user_id', 'ada'],
    ['role', 'viewer'],
    ['request_id', 'another'],
    ['created_at', '2020-01-01T00:00:00Z'],
    ['part_id', 'x'],
    ['hash', 'f'.repeat(64)],
  ])('finds an entry whose %s was changed', async (column, value) => {
    const { entry, problems } = await withEntries()
    await entry(4)
      .set({ [column]: value })
      .execute()
    // The hash of an entry is also part of the next one.
    expect(await problems()).toEqual([[4, 'changed'], ...(column === 'hash' ? [[5, 'changed']] : [])])
  })

  it('finds entries that were removed, at the beginning, in the middle and at the end', async () => {
    const { remove, problems, post } = await withEntries()
    await remove(4)
    expect(await problems()).toEqual([[4, 'removed']])
    await remove(1)
    await remove(7)
    const removed = [
      [1, 'removed'],
      [4, 'removed'],
      [7, 'removed'],
    ]
    expect(await problems()).toEqual(removed)
    await post('/agents', { name: 'Another' })
    expect(await problems()).toEqual(removed)
  })

  it('finds entries that changed places', async () => {
    const { entry, problems } = await withEntries()
    await entry(3).set({ sequence: -1 }).execute()
    await entry(5).set({ sequence: 3 }).execute()
    await entry(-1).set({ sequence: 5 }).execute()
    expect(await problems()).toEqual([3, 4, 5, 6].map((sequence) => [sequence, 'changed']))
  })

  it('finds entries that the service did not write', async () => {
    const here = await withEntries()
    const { db } = here.ctx
    const copyEntry = async (sequence: number, changes: object) => {
      const rows = db.selectFrom('audit_entry').selectAll().where('workspace_id', '=', here.workspace)
      const row = await rows.where('sequence', '=', sequence).executeTakeFirstOrThrow()
      await db
        .insertInto('audit_entry')
        .values({ ...row, id: here.ctx.newId('aud'), ...changes })
        .execute()
    }
    await copyEntry(4, { sequence: null })
    expect(await here.problems()).toEqual([[8, 'inserted']])
    await copyEntry(4, { sequence: null, hash: null })
    await here.problems()
    await copyEntry(4, { sequence: 10 })
    await copyEntry(4, { sequence: 0 })
    expect(await here.problems()).toEqual([
      [8, 'inserted'],
      [9, 'inserted'],
      [0, 'inserted'],
      [10, 'inserted'],
    ])
  })

  it('finds an entry that was changed before it was sealed', async () => {
    const here = await withEntries()
    const { workspace, ctx } = here
    const access = { workspace, role: 'owner' as const, userId: null, groups: [], rateLimit: null }
    const who = { ...access, token: 'tok_1', requestId: 'r' }
    // In one transaction, so that nothing seals the entry between.
    await inTransaction(ctx.db, async (tx) => {
      await ctx.audit.record(tx, who, { action: 'create', kind: 'agent', id: ctx.newId('agt') })
      const unsealed = tx.updateTable('audit_entry').where('workspace_id', '=', workspace).where('sequence', 'is', null)
      await unsealed.set({ action: 'delete' }).execute()
    })
    expect(await here.problems()).toEqual([[8, 'inserted']])
  })

  it('finds a head that was set back, together with the entries after it', async () => {
    const here = await withEntries()
    const entries = await listEntries(here)
    await here.remove(6)
    await here.remove(7)
    const head = here.ctx.db.updateTable('audit_chain').where('workspace_id', '=', here.workspace)
    await head.set({ sequence: 5, hash: entries[4]?.hash }).execute()
    expect(await here.problems()).toEqual([[5, 'head_changed']])
    await here.post('/agents', { name: 'Another' }) // leaves the traces
    expect(await here.problems()).toEqual([[6, 'head_changed']])
  })

  it('finds a beginning that was removed as if by retention, and a head that was removed', async () => {
    const here = await withEntries()
    const entries = await listEntries(here)
    for (const sequence of [1, 2, 3]) await here.remove(sequence)
    const head = here.ctx.db.updateTable('audit_chain').where('workspace_id', '=', here.workspace)
    await head.set({ anchor_sequence: 3, anchor_hash: entries[2]?.hash }).execute()
    expect(await here.problems()).toEqual([[7, 'head_changed']])
    await here.ctx.db.deleteFrom('audit_chain').where('workspace_id', '=', here.workspace).execute()
    expect(await here.problems()).toEqual([[1, 'head_changed']])
    await here.post('/agents', { name: 'Another' })
    expect(await here.problems()).toEqual([
      [1, 'removed'],
      [8, 'head_changed'],
    ])
  })

  it('compares with a head that was noted before', async () => {
    const here = await withEntries()
    const { sequence, hash } = here.before.head
    const noted = `?sequence=${sequence}&hash=${hash}`
    await here.post('/agents', { name: 'Another' })
    expect(await verify(here, noted)).toMatchObject({ valid: true, noted_head: 'matches', head: { sequence: 8 } })
    // All of it is removed, and begins again.
    for (const table of ['audit_entry', 'audit_chain'] as const)
      await here.ctx.db.deleteFrom(table).where('workspace_id', '=', here.workspace).execute()
    expect(await verify(here)).toMatchObject({ valid: false, entries: 0, head: { sequence: 0 } })
    expect(await here.problems()).toEqual([[1, 'head_changed']])
    for (let n = 0; n < 8; n++) await here.post('/agents', { name: 'Another' })
    expect(await verify(here, noted)).toMatchObject({ valid: false, noted_head: 'differs', entries: 8 })
    expect(await here.problems()).toEqual([[1, 'head_changed']])
    expect((await here.get('/audit/verify?sequence=1')).body.details[0].path).toBe('hash')
    expect((await here.get('/audit/verify', { token: await here.tokenFor('editor') })).status).toBe(403)
  })

  it.each(['sequence = null, hash = null', 'hash = null', `sequence = null, hash = 'x'`, 'sequence = sequence'])(
    'is broken from its beginning when its key, its state and entries are replaced without the secret: %s',
    async (change) => {
      const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
      const before = await startOn(environment)
      const created = (await before.get('/workspaces')).body.data[0].created_at
      for (let n = 1; n <= 3; n++) await before.post('/agents', { name: `Agent ${n}` })
      expect(await verify(before)).toMatchObject({ valid: true, entries: 3, since: null })
      await sql`delete from audit_key`.execute(before.ctx.db)
      await sql`delete from audit_chain`.execute(before.ctx.db)
      await sql.raw(`update audit_entry set action = 'delete', ${change}`).execute(before.ctx.db)
      await before.close()
      const after = await startOn(environment)
      expect(await verify(after)).toMatchObject({ valid: false, since: created })
      await after.post('/agents', { name: 'Another' })
      expect(await verify(after)).toMatchObject({ valid: false, since: created })
    },
  )

  it('does not stop the service when its stored key is damaged', async () => {
    const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
    const before = await startOn(environment)
    await before.post('/agents', { name: 'Agent' })
    await sql`delete from audit_key`.execute(before.ctx.db)
    await sql`insert into audit_key (id, key_sealed) values ('audit_key', 'v1.damaged')`.execute(before.ctx.db)
    await before.close()
    const after = await startOn(environment)
    expect(await verify(after)).toMatchObject({ valid: true, entries: 1 }) // the key derives from SECRET_KEY
  })

  it('says since when it is broken', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const here = await startService({ own: true, now: () => time })
    for (let n = 0; n < 6; n++) {
      await here.post('/agents', { name: `Agent ${n}` })
      time += day
    }
    expect((await verify(here)).since).toBeNull()
    const entry = (sequence: number) => here.ctx.db.updateTable('audit_entry').where('sequence', '=', sequence)
    await entry(5).set({ action: 'delete' }).execute()
    expect((await verify(here)).since).toBe('2026-03-04T12:00:00Z')
    await here.ctx.db.deleteFrom('audit_entry').where('sequence', 'in', [2, 3]).execute()
    expect((await verify(here)).since).toBe('2026-03-01T12:00:00Z')
    await entry(1).set({ created_at: '2026-03-09T00:00:00Z' }).execute()
    const [{ created_at }] = (await here.get('/workspaces')).body.data
    expect((await verify(here)).since).toBe(created_at)
  })

  it('stays valid when retention removes its beginning', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const here = await startService({ own: true, now: () => time })
    for (let n = 0; n < 3; n++) await here.post('/agents', { name: 'Old' })
    const noted = (await verify(here)).head
    time += 40 * day
    for (let n = 0; n < 2; n++) await here.post('/agents', { name: 'Young' })
    await verify(here)
    expect((await removeOld(here.ctx, time - 30 * day))['audit entries']).toBe(3)
    const after = await verify(here, `?sequence=${noted.sequence}&hash=${noted.hash}`)
    expect(after).toMatchObject({
      valid: true,
      entries: 2,
      anchor: noted,
      noted_head: 'matches',
      head: { sequence: 5 },
    })
    expect(await verify(here, `?sequence=1&hash=${noted.hash}`)).toMatchObject({ valid: true, noted_head: 'removed' })
    await here.ctx.db.deleteFrom('audit_entry').where('sequence', '=', 4).execute()
    expect((await verify(here)).problems).toEqual([{ sequence: 4, id: null, problem: 'removed' }])
  })

  it('stays valid when a person is erased from it', async () => {
    const here = await startService()
    const grace = (await here.post('/tokens', { name: 'Grace Hopper', role: 'admin', user_id: 'grace' })).body.data
    const bob = (await here.post('/tokens', { name: 'Bob', role: 'admin', user_id: 'bob' })).body.data
    await here.post('/agents', { name: 'A' }, { token: grace.token })
    await here.post('/agents', { name: 'B' }, { token: bob.token })
    await here.post('/agents', { name: 'C' }, { token: grace.token })
    const erase = () => inTransaction(here.ctx.db, (tx) => eraseActor(here.ctx, tx, here.workspace, 'grace'))
    expect(await erase()).toBe(2)
    expect(await erase()).toBe(0)
    const entries = await listEntries(here)
    // The names of what was changed are those of today: this erasure leaves the tokens themselves.
    expect(JSON.stringify(entries.map((entry) => ({ ...entry, resource_name: null })))).not.toMatch(/grace|Hopper/i)
    const erased = entries.filter(({ user_id }) => /^erased:[0-9a-f]{32}$/.test(user_id ?? ''))
    expect(erased.map(({ token_id }) => token_id)).toEqual([grace.id, grace.id])
    expect(new Set(erased.map(({ user_id, token_name }) => `${user_id} ${token_name}`)).size).toBe(1)
    expect(entries.filter(({ user_id }) => user_id === 'bob')).toMatchObject([{ token_name: 'Bob' }])
    expect(await verify(here)).toMatchObject({ valid: true, entries: 6 })
    await here.ctx.db
      .updateTable('audit_entry')
      .set({ user_id: `erased:${'0'.repeat(32)}` })
      .where('workspace_id', '=', here.workspace)
      .where('user_id', '=', 'bob')
      .execute()
    expect((await verify(here)).problems).toMatchObject([{ problem: 'changed' }])
  })

  it('can be started by several transactions at once', async () => {
    for (let round = 0; round < 5; round++) {
      const here = await startService()
      await here.post('/agents', { name: 'First' })
      const seal = () => inTransaction(here.ctx.db, (tx) => here.ctx.audit.chain.sealIn(tx, here.workspace))
      await Promise.all([seal(), seal(), seal()])
      expect(await verify(here)).toMatchObject({ valid: true, entries: 2 })
    }
  })

  it('is one chain when many requests write and several nodes seal at once', async () => {
    const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
    const first = await startOn(environment)
    const nodes = onPostgres ? [first, await startOn(environment), await startOn(environment)] : [first]
    const writes = Array.from({ length: 60 }, (_, n) => {
      const node = nodes[n % nodes.length] ?? first
      return Promise.all([
        node.post('/prompt-templates', { name: `T ${n}`, template: 'x' }),
        node.ctx.audit.chain.sealAll(),
      ])
    })
    await Promise.all(writes)
    expect(await verify(first)).toMatchObject({ valid: true, entries: 60, unsealed: 0, head: { sequence: 60 } })
  })

  it('seals after a crash what was committed before it', async () => {
    const environment: Record<string, string> = {
      ADMIN_TOKEN: 'owner',
      SECRET_KEY: testKey,
      ...(await freshEnvironment()),
    }
    const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' }
    const { child, address, ended } = startProcess(environment)
    const url = await address
    const body = JSON.stringify({ name: 'T', template: 'x' })
    const statuses = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await fetch(`${url}/api/prompt-templates`, { method: 'POST', headers, body })).status,
      ),
    )
    child.kill('SIGKILL')
    await ended
    expect(statuses).toEqual(Array(5).fill(201))
    const here = await startOn(environment)
    const unsealed = () => here.ctx.db.selectFrom('audit_entry').select('id').where('sequence', 'is', null).execute()
    await until(async () => (await unsealed()).length === 0) // by the job, without a request
    expect(await verify(here)).toMatchObject({ valid: true, entries: 5 })
  })
})
