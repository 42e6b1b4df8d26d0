import { expect, it, onTestFinished } from 'vitest'
import { createTokenCounter } from './token-counter.ts'
import { countTokens } from './tokens.ts'

it('counts the same as countTokens', async () => {
  const counter = createTokenCounter()
  onTestFinished(() => counter.close())
  const texts = ['What is there to say?', '', 'Häuser, 茶 and 😀', 'x'.repeat(1000)]
  expect(await counter.count(texts)).toEqual(texts.map(countTokens))
  expect(await counter.count([])).toEqual([])
})

it('falls back to the number of bytes after it was closed', async () => {
  const counter = createTokenCounter()
  await counter.close()
  expect(await counter.count(['茶'])).toEqual([3])
})
