import { expect, it } from 'vitest'
import { countChanges } from './changes.ts'

it('what is written to tables that are left out is no lasting change', () => {
  const changes = countChanges()
  changes.leaveOut(['message'])
  changes.note('insert into message (id) values (?)')
  changes.note('UPDATE "message" set a = 1')
  changes.note('delete from `message`')
  expect([changes.all(), changes.lasting()]).toEqual([3, 0])
  changes.note('update agent set name = ?')
  changes.note('insert or replace into agent values (?)')
  changes.note('something that nobody has thought of')
  expect(changes.lasting()).toBe(3)
})

it('a transaction counts again when it ends, for only then others see it', () => {
  const changes = countChanges()
  changes.leaveOut(['message'])
  for (const sql of ['begin immediate', 'insert into message (id) values (?)', 'commit']) changes.note(sql)
  expect(changes.lasting()).toBe(0)
  for (const sql of ['begin immediate', 'update agent set name = ?']) changes.note(sql)
  const within = changes.lasting()
  changes.note('commit')
  expect(changes.lasting()).toBe(within + 1)
  changes.note('begin')
  changes.note('rollback')
  expect(changes.lasting()).toBe(within + 1)
})
