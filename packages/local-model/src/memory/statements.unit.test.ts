import { expect, it } from 'vitest'
import { joinBeginnings, statementsIn } from './statements.ts'

it('finds what people say about themselves', () => {
  expect(statementsIn('Hello! My name is Ada. Where do I live? I live in Bern.')).toEqual([
    'My name is Ada.',
    'I live in Bern.',
  ])
  expect(statementsIn('Ich wohne in Bern. Was kostet das?')).toEqual(['Ich wohne in Bern.'])
  expect(statementsIn('What is the price of the red one?')).toEqual([])
})

it('joins the beginnings of texts, and keeps the newest', () => {
  expect(joinBeginnings(['One. More.', 'Two.', 'Three.'], 100)).toBe('One. Two. Three.')
  expect(joinBeginnings(['One. More.', 'Two.', 'Three.'], 12)).toBe('Two. Three.')
  expect(joinBeginnings([], 12)).toBe('')
})
