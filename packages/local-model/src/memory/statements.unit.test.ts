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

it('finds what people ask to remember', () => {
  expect(statementsIn('Please remember that the deploy key rotates monthly.')).toEqual([
    'The deploy key rotates monthly.',
  ])
  expect(statementsIn('Remember: we ship on Fridays. Thanks!')).toEqual(['We ship on Fridays.'])
  expect(statementsIn('Merke dir, dass ich Vegetarier bin.')).toEqual(['Ich Vegetarier bin.'])
  expect(statementsIn('Do you remember that I like teal?')).toEqual([])
  expect(statementsIn('Remember')).toEqual([])
})

it('leaves out what matters in this conversation alone', () => {
  expect(statementsIn('I have a question. I need help with my order. I am not sure how to log in.')).toEqual([])
})

it('joins the beginnings of texts, and keeps the newest', () => {
  expect(joinBeginnings(['One. More.', 'Two.', 'Three.'], 100)).toBe('One. Two. Three.')
  expect(joinBeginnings(['One. More.', 'Two.', 'Three.'], 12)).toBe('Two. Three.')
  expect(joinBeginnings([], 12)).toBe('')
})
