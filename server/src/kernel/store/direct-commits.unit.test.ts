import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { groupedCommits, Superseded } from './commits.ts'
import { directCommits } from './direct-commits.ts'
import { tuneSqlite } from './sqlite.ts'

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const file = join(folder, 'commits.db')
  const sqlite = new BetterSqlite(file)
  tuneSqlite(sqlite)
  sqlite.exec('create table thing (id integer primary key, name text not null)')
  let told = 0
  const written = () => told
  const commits = groupedCommits(file, () => told++, directCommits(sqlite))
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await commits.close()
    elsewhere.close()
    sqlite.close()
    rmSync(folder, { recursive: true })
  })
  const add = (id: number) => ({ sql: 'insert into thing (id, name) values (?, ?)', parameters: [id, 'new'] })
  const change = (id: number) => ({
    sql: 'update thing set name = ? where id = ?',
    parameters: ['changed', id],
    changes: 1,
  })
  const elsewhere = new BetterSqlite(file, { readonly: true })
  const ids = () => elsewhere.prepare('select id from thing order by id').pluck().all()
  /** Whether it was done before anything else could happen. */
  const isAtOnce = async (id: number, isAlone: boolean): Promise<boolean> => {
    const before = written()
    const done = commits.commit([add(id)], isAlone)
    const isWritten = written() > before // what the thread has written is told later, however quick it was
    await done
    expect(ids()).toContain(id)
    return isWritten
  }
  return { commits, file, sqlite, add, change, ids, isAtOnce, written }
}

it('a unit that comes alone is kept at once and whole, or leaves nothing', async () => {
  const { commits, add, change, ids, isAtOnce, written } = open()
  expect(await isAtOnce(1, true)).toBe(true)
  expect(await isAtOnce(2, false)).toBe(false)
  expect(written()).toBe(2)
  await expect(commits.commit([add(3), change(99)], true)).rejects.toBeInstanceOf(Superseded)
  await expect(commits.commit([add(4), add(1)], true)).rejects.toThrow('UNIQUE')
  expect(ids()).toEqual([1, 2])
})

it('a unit that comes alone waits for whoever came before it', async () => {
  const { commits, add, ids } = open()
  const first = commits.commit([add(1)])
  const second = commits.commit([add(2)], true)
  await Promise.all([first, second])
  const release = await commits.hold()
  const third = commits.commit([add(3)], true)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(ids()).toEqual([1, 2])
  release()
  await third
  expect(ids()).toEqual([1, 2, 3])
})

it('the thread gets all of them where the disk is slow', async () => {
  const { isAtOnce } = open()
  let time = 0
  let each = 0.1
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += each
    return time
  })
  for (let id = 1; id <= 40; id++) expect(await isAtOnce(id, true)).toBe(true)
  each = 50
  expect(await isAtOnce(41, true)).toBe(true)
  expect(await isAtOnce(42, true)).toBe(false)
})

it('the thread brings the log back into the database in a while', async () => {
  const { commits, file, add } = open()
  for (let id = 1; id <= 1200; id++) await commits.commit([add(id)], true) // a page each, at the least
  const copy = `${file}.copy`
  const withoutLog = () => {
    copyFileSync(file, copy)
    const database = new BetterSqlite(copy)
    const count = database.prepare('select count(*) from thing').pluck().get()
    database.close()
    return count
  }
  await vi.waitFor(() => expect(withoutLog()).toBeGreaterThan(500), 10_000)
})

it('what was begun is kept with its unit, and nobody sees it before', async () => {
  const { commits, sqlite, add, change, ids, written } = open()
  const first = [add(1), change(1)]
  commits.begin(first)
  expect(sqlite.inTransaction).toBe(true)
  expect([ids(), written()]).toEqual([[], 0])
  await commits.commit([...first, add(2)], true)
  expect([ids(), written()]).toEqual([[1, 2], 3])
  expect(sqlite.inTransaction).toBe(false)
})

it.each<[string, (opened: ReturnType<typeof open>) => Promise<void>]>([
  ['another unit that is alone', ({ commits, add }) => commits.commit([add(9)], true)],
  ['one that looks the same', ({ commits, add }) => commits.commit([add(9), add(8)], true)],
  ['a unit for the thread', ({ commits, add }) => commits.commit([add(9)])],
  ['somebody who holds the others back', async ({ commits }) => (await commits.hold())()],
  ['whoever began it', async ({ commits }) => commits.giveUp()],
])('what was begun is as if it had never been when there comes first %s', async (_, other) => {
  const opened = open()
  const { commits, sqlite, add, change, ids } = opened
  const first = [add(1), change(1)]
  commits.begin(first)
  await other(opened)
  expect(sqlite.inTransaction).toBe(false)
  expect(ids()).not.toContain(1)
  await commits.commit([...first, add(2)], true)
  expect(ids()).toEqual(expect.arrayContaining([1, 2]))
})

it('a unit that cannot be kept says so, whether its beginning or its end is to blame', async () => {
  const { commits, sqlite, add, change, ids } = open()
  await commits.commit([add(1)])
  for (const [first, rest] of [
    [[add(2), change(99)], [add(3)]],
    [[add(2)], [add(3), change(99)]],
  ]) {
    commits.begin(first as ReturnType<typeof add>[])
    await expect(commits.commit([...(first ?? []), ...(rest ?? [])], true)).rejects.toBeInstanceOf(Superseded)
    expect(sqlite.inTransaction).toBe(false)
  }
  commits.begin([add(1)])
  await expect(commits.commit([add(1)], true)).rejects.toThrow('UNIQUE')
  await commits.commit([add(4)], true)
  expect(ids()).toEqual([1, 4])
})

it('nothing is begun while others write', async () => {
  const { commits, sqlite, add, ids } = open()
  const running = commits.commit([add(1)])
  commits.begin([add(2)])
  expect(sqlite.inTransaction).toBe(false)
  await running
  const release = await commits.hold()
  commits.begin([add(3)])
  expect(sqlite.inTransaction).toBe(false)
  release()
  expect(ids()).toEqual([1])
})
