import { expect, it } from 'vitest'
import { smallTalk } from './small-talk.ts'

it.each([
  ['Hello', 'greeting'],
  ['hi there!', 'greeting'],
  ['Good morning, how are you today?', 'greeting'],
  ['Grüß Gott', 'greeting'],
  ['Tschüß!', 'greeting'],
  ['你好', 'greeting'],
  ['👋', 'greeting'],
  ['', 'greeting'],
  ['Thanks a lot!', 'thanks'],
  ['Thank you so much', 'thanks'],
  ['Danke schön', 'thanks'],
  ['Who are you?', 'about-me'],
  ['Hi! What can you do?', 'about-me'],
  ['Was können Sie?', 'about-me'],
  ['help', 'about-me'],
  ['Hello, when does the office open?', null],
  ['What are you allowed to sell?', null],
  ['How do I say hello in French?', null],
  ['help me with my order', null],
  ['Is there a lift?', null],
  ['42', null],
  ['hello '.repeat(100), null],
] as const)('%j is %s', (text, talk) => {
  expect(smallTalk(text)).toBe(talk)
})
