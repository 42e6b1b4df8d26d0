import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { analysePassage } from './analyse.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const megabyte = 1024 * 1024
const texts = 100
const filler = 'words that all have seen before, '.repeat(megabyte / 4 / 32)
const letters = (number: number) =>
  [...number.toString(26)].map((digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]).join('')
/** A new flat string, as if it had been read from a file. */
const textWith = (word: string) => Buffer.from(`${filler} ${word}`).toString()

function usedHeapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / megabyte
}

it('cached stems do not keep the texts in memory that their words came from', () => {
  analysePassage(textWith('warm'))
  const before = usedHeapMb()
  for (let at = 0; at < texts; at++) analysePassage(textWith(`extraordinarily${letters(at)}long`))
  expect(usedHeapMb() - before).toBeLessThan(texts / 4 / 2) // almost nothing, or all of the texts
})
