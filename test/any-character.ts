import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/** The characters of fast-check's unit "binary", which takes almost a second to list them. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((code) => String.fromCodePoint(code < surrogates.from ? code : code + surrogates.count))
