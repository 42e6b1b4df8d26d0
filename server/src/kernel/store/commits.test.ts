import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { Conflict, createWriter, groupedCommits } from './commits.ts'
import { openStore } from './open-store.ts'
import { WriteLock } from './write-lock.ts'

it('rolls back failed transactions of a batch and commits the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const file = join(folder, 'commits.db')
  const sqlite = new BetterSqlite(file)
  sqlite.exec('create table thing (id integer primary key, name text not null)')
  const writer = createWriter()
  const commits = groupedCommits(file, new WriteLock(), writer)
  onTestFinished(async () => {
    await commits.close()
    await writer.close()
    sqlite.close()
    rmSync(folder, { recursive: true })
  })
  const add = (id: number, name: string | null) => ({
    sql: 'insert into thing (id, name) values (?, ?)',
    parameters: [id, name],
  })
  const change = (id: number, name: string) => ({
    sql: 'update thing set name = ? where id = ?',
    parameters: [name, id],
    changes: 1,
  })
  await commits.commit([add(1, 'first')]) // the next ones queue up meanwhile
  const outcomes = await Promise.allSettled([
    commits.commit([add(2, 'kept'), change(1, 'changed')]),
    commits.commit([add(3, 'lost'), change(99, 'nobody')]),
    commits.commit([add(4, 'lost'), add(5, null)]),
    commits.commit([add(6, 'kept')]),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const [, second, third] = outcomes as PromiseRejectedResult[]
  expect(second?.reason).toBeInstanceOf(Conflict)
  expect(third?.reason.message).toContain('NOT NULL')
  expect(sqlite.prepare('select id, name from thing order by id').raw().all()).toEqual([
    [1, 'changed'],
    [2, 'kept'],
    [6, 'kept'],
  ])
})

it('can be closed at any time after the first commit, repeatedly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const turns of [0, ...Array.from({ length: 18 }, (_, power) => 2 ** power)]) {
    const writer = createWriter()
    const commits = groupedCommits(join(folder, 'commits.db'), new WriteLock(), writer)
    const first = commits.commit([])
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    await commits.close()
    await commits.close()
    await writer.close()
    await first
    await expect(commits.commit([])).rejects.toThrow('is closed')
  }
})

it('transactions and grouped commits never wait for each other inside SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const store = await openStore({ databaseUrl: null, dataDir: folder })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  await sql`create table thing (id integer primary key)`.execute(store.db)
  const add = (id: number) => ({ sql: 'insert into thing (id) values (?)', parameters: [id] })
  await store.commits.commit([add(0)])
  const inService = Array.from({ length: 20 }, (_, n) =>
    store.db.transaction().execute(async (tx) => {
      await sql`insert into thing (id) values (${100 + n})`.execute(tx)
      await setImmediate()
    }),
  )
  const grouped = Array.from({ length: 20 }, (_, n) => store.commits.commit([add(200 + n)]))
  const single = Array.from({ length: 20 }, (_, n) => sql`insert into thing (id) values (${300 + n})`.execute(store.db))
  await Promise.all([...inService, ...grouped, ...single])
  const { rows } = await sql<{ count: number }>`select count(*) as count from thing`.execute(store.db)
  expect(rows).toEqual([{ count: 61 }])
})

it('reads see committed rows while a transaction runs, and none of its uncommitted rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const store = await openStore({ databaseUrl: null, dataDir: folder })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  await sql`create table thing (id integer primary key)`.execute(store.db)
  const count = async () => (await sql<{ n: number }>`select count(*) as n from thing`.execute(store.db)).rows[0]?.n
  await expect(
    store.db.transaction().execute(async (tx) => {
      await sql`insert into thing (id) values (1)`.execute(tx)
      expect(await count()).toBe(0)
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(await count()).toBe(0)
  await sql`insert into thing (id) values (2)`.execute(store.db)
  expect(await count()).toBe(1)
})
