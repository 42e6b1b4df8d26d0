import fc from 'fast-check'
import { expect, it } from 'vitest'
import { utf8 } from './bytes.ts'

it('makes the bytes that Node makes of any text, halves of pairs included', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'é', '“', '防', '😀', '\ud800', '\udc00x'),
      (text, more) => {
        expect(utf8(text + more).equals(Buffer.from(text + more))).toBe(true)
      },
    ),
  )
})
