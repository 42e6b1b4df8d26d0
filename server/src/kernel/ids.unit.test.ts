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
