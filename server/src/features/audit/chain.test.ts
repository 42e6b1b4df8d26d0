import { describe, expect, it } from 'vitest'
import { listEntries, verify, withEntries } from '../../../test/audit-chain.ts'
import { freshEnvironment, onPostgres, startOn, startService } from '../../../test/harness.ts'
import { removeOld } from '../../kernel/retention.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { day } from '../../kernel/time.ts'
import { eraseActor } from './erase.ts'

describe('the chain of the audit log', () => {
  it('numbers the entries and hashes each with those before it', async () => {
    const here = await withEntries()
    const entries = await listEntries(here)
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(7)
    expect(entries.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(entries[6]?.hash).toBe(here.before.head.hash)
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
})
