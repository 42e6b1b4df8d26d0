import { expect, it } from 'vitest'
import { groupsFrom } from '../src/chat/message-groups.ts'

it('keeps messages in their groups when earlier and later ones are added', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
  const before = groupsFrom(numbers(100, 150), 0)
  expect(before.map(({ key, messages }) => [key, messages.length])).toEqual([
    [0, 20],
    [1, 20],
    [2, 10],
  ])
  const after = groupsFrom(numbers(70, 155), 30)
  expect(after.map(({ key, messages }) => [key, messages.length])).toEqual([
    [-2, 10],
    [-1, 20],
    [0, 20],
    [1, 20],
    [2, 15],
  ])
  expect(after.slice(2, 4)).toEqual(before.slice(0, 2))
})
