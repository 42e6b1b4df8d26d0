import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWordPiece } from '@parley/embedding/wordpiece'
import { analysePassage } from '@parley/search/analyse'
import { describe, expect, it } from 'vitest'
import { countTokens } from './tokens/tokens.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const megabyte = 1024 * 1024
const texts = 100
const filler = 'words that all have seen before, '.repeat(megabyte / 4 / 32)
const letters = (number: number) =>
  [...number.toString(26)].map((digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]).join('')
/** Made anew, and of one piece, as if it had been read. */
const textWith = (word: string) => Buffer.from(`${filler} ${word}`).toString()

const { encode } = createWordPiece()

function held(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / megabyte
}

describe('what is remembered of words', () => {
  it.each([
    ['stems', (text: string) => analysePassage(text)],
    ['tokens', (text: string) => countTokens(text)],
    ['pieces', (text: string) => encode(text)],
  ])('holds no text for the sake of a word in it: %s', (_, read) => {
    read(textWith('warm'))
    const before = held()
    for (let at = 0; at < texts; at++) read(textWith(`extraordinarily${letters(at)}long`))
    expect(held() - before).toBeLessThan(texts / 4 / 5)
  })
})
