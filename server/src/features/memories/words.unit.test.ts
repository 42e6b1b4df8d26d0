import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FactWords } from './words.ts'

const coverage = (fact: string, text: string) => new FactWords(fact).coverage(text)

it('a text covers a fact by the words that mean something, in any form', () => {
  expect(coverage('User likes green tea', 'I like Green tea, you know.')).toBe(1)
  expect(coverage('Lives in Zürich', 'ich wohne in ZURICH')).toBe(0.5)
  expect(coverage('Is 42 and plays chess', 'I am 43 and play chess')).toBe(0)
  expect(coverage('住在东京', '我住在东京')).toBe(1)
  expect(coverage('Adopted a photographer', 'I adopt photos, photography')).toBe(1)
  expect(coverage('the user is', 'the user is')).toBe(0)
})

const word = fc.stringMatching(/^(?:garden|gard|photogr|[a-f]{3,7}|[0-9]{1,2})[a-c]{0,3}$/)

it('finds the same words as a comparison of each with each', () => {
  const isNumber = (text: string) => /\d/.test(text)
  const isAlike = (one: string, other: string) =>
    one === other ||
    (!isNumber(one) &&
      ((Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one))) ||
        (one.length > 5 && other.length > 5 && one.slice(0, 5) === other.slice(0, 5))))
  const compare = (fact: string[], text: string[]) => {
    const found = [...new Set(fact)].filter((one) => text.some((other) => isAlike(one, other)))
    const isComplete = fact.every((one) => !isNumber(one) || text.includes(one))
    const expected = fact.length > 0 && isComplete ? found.length / new Set(fact).size : 0
    expect(coverage(fact.join(' '), text.join(' '))).toBe(expected)
  }
  const words = fc.array(word, { maxLength: 6 })
  fc.assert(fc.property(words, words, compare), { numRuns: 500 })
})
