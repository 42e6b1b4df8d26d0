import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listEntries, verify, withEntries } from '../../../test/audit-chain.ts'
import { testKey } from '../../../test/config.ts'
import { freshEnvironment, startOn, startService, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { day } from '../../kernel/time.ts'

describe('the chain of the audit log', () => {
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

  it('finds entries that changed places', async () => {
    const { entry, problems } = await withEntries()
    await entry(3).set({ sequence: -1 }).execute()
    await entry(5).set({ sequence: 3 }).execute()
    await entry(-1).set({ sequence: 5 }).execute()
    expect(await problems()).toEqual([3, 4, 5, 6].map((sequence) => [sequence, 'changed']))
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
