import { expect, it } from 'vitest'
import { countTokensAside } from './token-counter.ts'
import { countTokens } from './tokens.ts'

it('counts in its thread what is counted here', async () => {
  const texts = ['What is there to say?', '', 'Häuser, 茶 and 😀', 'x'.repeat(1000)]
  expect(await countTokensAside(texts)).toEqual(texts.map(countTokens))
  expect(await countTokensAside([])).toEqual([])
})
