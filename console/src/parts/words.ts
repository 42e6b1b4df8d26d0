const letter = '[\\p{L}\\p{N}\\p{M}]'
/** Scripts whose words stand side by side without spaces. */
const spaceless =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
const inAWord = `(?!${spaceless})${letter}`
const startsSpaceless = new RegExp(`^${spaceless}`, 'u')

/** A pattern that finds words as they are written, whole ones where a script has spaces. */
export function patternOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null
  const literal = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const whole = words.filter((word) => !startsSpaceless.test(word)).map(literal)
  const parts = words.filter((word) => startsSpaceless.test(word)).map(literal)
  if (whole.length > 0) parts.push(`(?<!${inAWord})(?:${whole.join('|')})(?!${inAWord})`)
  return new RegExp(`(${parts.join('|')})`, 'gu')
}
