import { expect, it } from 'vitest'
import { inParallel } from './parallel.ts'

function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
  return 'end'
}

it('gives the slots of items that wait for something else to others', async () => {
  const started: number[] = []
  const last = Promise.withResolvers<void>()
  const result = await inParallel(numbers(20), 2, async (number, leave) => {
    started.push(number)
    if (number === 19) last.resolve()
    else leave()
    await last.promise
  })
  expect([result, started]).toEqual(['end', Array.from({ length: 20 }, (_, number) => number)])
})

it('runs no more than the limit at once, and throws the first failure', async () => {
  let running = 0
  let most = 0
  const work = async (number: number) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    if (number === 7) throw new Error('seven')
  }
  await expect(inParallel(numbers(50), 3, work)).rejects.toThrow('seven')
  expect([most, running]).toEqual([3, 0])
})
