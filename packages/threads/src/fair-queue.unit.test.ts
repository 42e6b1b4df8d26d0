import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const drain = (queue: FairQueue<string>): string[] => {
  const items: string[] = []
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) items.push(next)
  return items
}

it('takes turns between keys and keeps the order within a key', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(item[0] ?? '', item)
  expect(queue.size).toBe(6)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(queue.size).toBe(0)
})

it('lets a key that was just served wait for the others', () => {
  const queue = new FairQueue<string>()
  queue.push('a', 'a1')
  queue.push('b', 'b1')
  expect(queue.shift()).toBe('a1')
  queue.push('a', 'a2')
  expect(drain(queue)).toEqual(['b1', 'a2'])
})

it('takes turns between the members of an owner, too', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a/x1', 'a/x2', 'a/x3', 'a/y1', 'b/z1', 'b/z2']) queue.push(item.slice(0, 3), item)
  expect(queue.remove('a/x', 'a/x2')).toBe(true)
  expect(drain(queue)).toEqual(['a/x1', 'b/z1', 'a/y1', 'b/z2', 'a/x3'])
  expect(queue.size).toBe(0)
})

it('passes over keys that are not ready', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a/x1', 'a/y1', 'b1']) queue.push(item.slice(0, -1), item)
  expect(queue.shift((key) => key !== 'a/x')).toBe('a/y1')
  expect(queue.shift((key) => key !== 'a/x')).toBe('b1')
  expect(queue.shift((key) => key !== 'a/x')).toBeUndefined()
  expect(drain(queue)).toEqual(['a/x1'])
})

it('limits the items of each key by itself', () => {
  const queue = new FairQueue<string>(2)
  expect(['a1', 'a2', 'a3'].map((item) => queue.push('a', item))).toEqual([true, true, false])
  expect(queue.push('b', 'b1')).toBe(true)
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2'])
})

it('removes items, and all of them', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item[0] ?? '', item)
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([true, false, false])
  expect(queue.size).toBe(2)
  expect(queue.clear()).toEqual(['a2', 'b1'])
  expect([queue.size, queue.shift()]).toEqual([0, undefined])
})
