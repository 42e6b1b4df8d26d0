import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { groupedCommits, Superseded } from './commits.ts'

it('of units that come at once, those that cannot be kept leave nothing and cost the others nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const file = join(folder, 'commits.db')
  const sqlite = new BetterSqlite(file)
  sqlite.exec('create table thing (id integer primary key, name text not null)')
  const written: string[] = []
  const commits = groupedCommits(file, (sql) => written.push(sql))
  onTestFinished(async () => {
    await commits.close()
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
  await commits.commit([add(1, 'first')]) // while the next ones gather
  const outcomes = await Promise.allSettled([
    commits.commit([add(2, 'kept'), change(1, 'changed')]),
    commits.commit([add(3, 'lost'), change(99, 'nobody')]),
    commits.commit([add(4, 'lost'), add(5, null)]),
    commits.commit([add(6, 'kept')]),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const [, second, third] = outcomes as PromiseRejectedResult[]
  expect(second?.reason).toBeInstanceOf(Superseded)
  expect(third?.reason.message).toContain('NOT NULL')
  expect(sqlite.prepare('select id, name from thing order by id').raw().all()).toEqual([
    [1, 'changed'],
    [2, 'kept'],
    [6, 'kept'],
  ])
  expect(new Set(written).size).toBe(2)
})

it('may be closed the moment they are opened, again and again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (let delay = 0; delay < 160; delay += 4) {
    const commits = groupedCommits(join(folder, 'commits.db'), () => {})
    await new Promise((resolve) => setTimeout(resolve, delay))
    await commits.close()
    await commits.close()
    await expect(commits.commit([])).rejects.toThrow('has ended')
  }
})
