const letter = '[\\p{L}\\p{N}\\p{M}]'
/** Scripts that do not separate words with spaces. */
const spaceless =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
const wordCharacter = `(?!${spaceless})${letter}`
const startsSpaceless = new RegExp(`^${spaceless}`, 'u')

/** A case-sensitive pattern for the given terms. In scripts with spaces it matches whole words only. */
export function termPattern(terms: readonly string[]): RegExp | null {
  if (terms.length === 0) return null
  const literal = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const whole = terms.filter((word) => !startsSpaceless.test(word)).map(literal)
  const parts = terms.filter((word) => startsSpaceless.test(word)).map(literal)
  if (whole.length > 0) parts.push(`(?<!${wordCharacter})(?:${whole.join('|')})(?!${wordCharacter})`)
  return new RegExp(`(${parts.join('|')})`, 'gu')
}
