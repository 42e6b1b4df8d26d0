import { mkdtempSync, rmSync } from 'node:fs'
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
    sqlite.close()
    rmSync(folder, { recursive: true })
  })
  const add = (id: number) => ({ sql: 'insert into thing (id, name) values (?, ?)', parameters: [id, 'new'] })
  const change = (id: number) => ({
    sql: 'update thing set name = ? where id = ?',
    parameters: ['changed', id],
    changes: 1,
  })
  const ids = () => sqlite.prepare('select id from thing order by id').pluck().all()
  /** Whether it was done before anything else could happen. */
  const isAtOnce = async (id: number, isAlone: boolean): Promise<boolean> => {
    const before = written()
    const done = commits.commit([add(id)], isAlone)
    const isWritten = written() > before // what the thread has written is told later, however quick it was
    await done
    expect(ids()).toContain(id)
    return isWritten
  }
  return { commits, add, change, ids, isAtOnce, written }
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

it('the thread gets one in a while, and all of them where the disk is slow', async () => {
  const { isAtOnce } = open()
  let time = 0
  let each = 0.1
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += each
    return time
  })
  const ways: boolean[] = []
  for (let id = 1; id <= 40; id++) ways.push(await isAtOnce(id, true))
  expect(ways.filter((atOnce) => !atOnce)).toHaveLength(1)
  each = 50
  expect(await isAtOnce(41, true)).toBe(true)
  expect(await isAtOnce(42, true)).toBe(false)
})
