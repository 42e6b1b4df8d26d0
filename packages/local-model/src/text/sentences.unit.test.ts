import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxSentenceLength, splitSentences } from './sentences.ts'

const split = (text: string): string[] => splitSentences(text).map(({ start, end }) => text.slice(start, end))

describe('sentences', () => {
  it('end where a full stop, a question mark or an exclamation mark ends them', () => {
    expect(split('It rains. Does it? Yes! So it goes…')).toEqual(['It rains.', 'Does it?', 'Yes!', 'So it goes…'])
    expect(split('He said "Stop." Then he left.')).toEqual(['He said "Stop."', 'Then he left.'])
  })

  it.each([
    ['Dr. Who met Mr. Smith at St. Mary. They left.', ['Dr. Who met Mr. Smith at St. Mary.', 'They left.']],
    ['J. R. R. Tolkien wrote it.', ['J. R. R. Tolkien wrote it.']],
    ['Pi is 3.14159. Tau is twice that.', ['Pi is 3.14159.', 'Tau is twice that.']],
    ['It opens at 9 a.m. on Mondays.', ['It opens at 9 a.m. on Mondays.']],
    ['It opens at 9 a.m. The door is red.', ['It opens at 9 a.m.', 'The door is red.']],
    ['The U.S. Army moved. It was cold.', ['The U.S. Army moved.', 'It was cold.']],
    ['Fruit, e.g. apples, i.e. food. Good.', ['Fruit, e.g. apples, i.e. food.', 'Good.']],
    ['Yahoo! is a name. So is Guess?', ['Yahoo! is a name.', 'So is Guess?']],
    ['**5. Press it**, so that it starts.', ['**5. Press it**, so that it starts.']],
    ['He scored 24. The team won.', ['He scored 24.', 'The team won.']],
  ])('do not end in the middle of %j', (text, sentences) => {
    expect(split(text)).toEqual(sentences)
  })

  it('do not end at German ordinals and abbreviations', () => {
    expect(split('Die Mauer fiel am 9. November 1989. Das war in Berlin.')).toEqual([
      'Die Mauer fiel am 9. November 1989.',
      'Das war in Berlin.',
    ])
    expect(split('Obst, z. B. Äpfel, ist gesund. Der Arzt, d.h. Dr. Meier, sagt das.')).toEqual([
      'Obst, z. B. Äpfel, ist gesund.',
      'Der Arzt, d.h. Dr. Meier, sagt das.',
    ])
  })

  it('of scripts without spaces end at their own marks', () => {
    expect(split('黑豹队丢了308分。他们赢了！为什么？')).toEqual(['黑豹队丢了308分。', '他们赢了！', '为什么？'])
    expect(split('هذا كتاب. هل قرأته؟ نعم')).toEqual(['هذا كتاب.', 'هل قرأته؟', 'نعم'])
  })

  it('include the footnote mark that follows', () => {
    expect(split('Water boils.[12] Ice melts.[3]')).toEqual(['Water boils.[12]', 'Ice melts.[3]'])
  })

  it('continue over wrapped lines and end at hard line breaks', () => {
    const wrapped = 'This line is as wide as the page of the book\nand goes on here until the end of the sentence.'
    expect(split(wrapped)).toEqual([wrapped])
    expect(split('Opening hours\n\nWe open at nine.')).toEqual(['Opening hours', 'We open at nine.'])
    expect(split('temperature: 21\ncondition: sunny')).toEqual(['temperature: 21', 'condition: sunny'])
  })

  it('do not include bullets and heading marks', () => {
    expect(split('# Formats\n- PDF files\n- Word files\n1. First step\n2. Second step')).toEqual([
      'Formats',
      'PDF files',
      'Word files',
      '1. First step',
      '2. Second step',
    ])
  })

  it('that are too long are cut, but never within a character', () => {
    const pieces = split(`${'one, two and three '.repeat(200)}`)
    expect(pieces.every((piece) => piece.length <= maxSentenceLength && /^(?:one|two|and|three)/.test(piece))).toBe(
      true,
    )
    const emoji = split('👍'.repeat(2001))
    expect(emoji.join('')).toBe('👍'.repeat(2001))
    expect(emoji.every((piece) => piece.isWellFormed())).toBe(true)
  })

  it('are in order, do not overlap and leave out only space, bullets and heading marks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom('', '. ', '\n', '。', '\n- '),
        (a, b) => {
          const text = a + b + a
          let at = 0
          for (const { start, end } of splitSentences(text)) {
            expect(start).toBeGreaterThanOrEqual(at)
            expect(end).toBeGreaterThan(start)
            expect(text.slice(at, start)).toMatch(/^[\s\-*+•‣▪#>]*$/)
            at = end
          }
          expect(text.slice(at)).toMatch(/^[\s\-*+•‣▪#>]*$/)
        },
      ),
    )
  })
})
