import { expect, it } from 'vitest'
import { idSource } from './ids.ts'

it('sorts by time of creation, even within a millisecond, and never repeats', () => {
  let time = 1000
  const newId = idSource(() => time)
  const ids: string[] = []
  for (let n = 0; n < 20_000; n++) {
    ids.push(newId('agt'))
    if (n % 100 === 0) time++
  }
  time -= 50 // the clock is set back
  ids.push(newId('agt'))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^agt_[0-9a-z]{26}$/)
})

it('sorts after a given id, even if that comes from a clock that is ahead', () => {
  const ahead = idSource(() => 5_000_000)
  const behind = idSource(() => 1000)
  let last = ahead('msg')
  for (let n = 0; n < 100; n++) {
    const next = (n % 2 ? ahead : behind)('msg', last)
    expect(next > last).toBe(true)
    expect(next).toMatch(/^msg_[0-9a-z]{26}$/)
    last = next
  }
  expect(behind('msg') < last).toBe(true)
})
