/** Words that say nothing about where a fact comes from, in the languages that most facts are written in. */
const commonWords = new Set(
  `the and for are was were has have had that this with from not but you your his her its they them their our who what which
  user users person customer also very will would can could should does did been being than then there about into
  der die das und ist sind war hat haben ein eine einen einem einer den dem des mit von für auf nicht sich auch als
  ich mein meine nutzer benutzer kunde person les des est une qui que pour dans avec los las una por con para`
    .split(/\s+/)
    .filter(Boolean),
)

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** In scripts without spaces each character is a word. */
const wordPattern = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu

function wordsIn(text: string): string[] {
  const words = fold(text).match(wordPattern) ?? []
  return words.filter((word) => (word.length > 2 || /[^a-z]/.test(word)) && !commonWords.has(word))
}

/** Whether two words have the same stem, roughly: one begins with the other, or their first five letters are the same. */
const isAlike = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one))) ||
  (one.length > 5 && other.length > 5 && one.slice(0, 5) === other.slice(0, 5))

const isNumber = (word: string): boolean => /\p{N}/u.test(word)

/**
 * The share of the words of a fact that a text has, from 0 to 1. It is 0 if the fact has a number that the text does not
 * have.
 */
export function coverage(fact: string, text: string): number {
  const needed = [...new Set(wordsIn(fact))]
  const given = new Set(wordsIn(text))
  const isGiven = (word: string) =>
    given.has(word) || (!isNumber(word) && [...given].some((each) => isAlike(word, each)))
  if (needed.length === 0 || needed.some((word) => isNumber(word) && !isGiven(word))) return 0
  return needed.filter(isGiven).length / needed.length
}
