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

const isNumber = (word: string): boolean => /\p{N}/u.test(word)

/** Shorter words must be the same; of longer ones one may begin with the other. */
const minStem = 4
/** Words that are longer than this are alike if they begin with the same letters, this many. */
const sharedLetters = 5

/**
 * The words of a fact, to compare with texts. Texts may be long and have many sentences, so that each of their words is looked
 * up once, by what it could share with a word of the fact.
 */
export class FactWords {
  readonly #words: Set<string>
  readonly #byPrefix = new Map<string, string[]>()
  readonly #byFirstLetters = new Map<string, string[]>()
  readonly #longest: number

  constructor(fact: string) {
    this.#words = new Set(wordsIn(fact))
    this.#longest = Math.max(0, ...[...this.#words].map(({ length }) => length))
    for (const word of this.#words) {
      if (isNumber(word)) continue
      for (let length = minStem; length <= word.length; length++) add(this.#byPrefix, word.slice(0, length), word)
      if (word.length > sharedLetters) add(this.#byFirstLetters, word.slice(0, sharedLetters), word)
    }
  }

  /** The share of the words that a text has, from 0 to 1. It is 0 if the fact has a number that the text does not have. */
  coverage(text: string): number {
    const found = new Set<string>()
    for (const textWord of new Set(wordsIn(text))) for (const word of this.#alike(textWord)) found.add(word)
    if (found.size === 0 || [...this.#words].some((word) => isNumber(word) && !found.has(word))) return 0
    return found.size / this.#words.size
  }

  /** The words with the same stem, roughly: one begins with the other, or their first letters are the same. */
  *#alike(textWord: string): Generator<string> {
    if (this.#words.has(textWord)) yield textWord
    yield* this.#byPrefix.get(textWord) ?? []
    const longest = Math.min(textWord.length, this.#longest)
    for (let length = minStem; length <= longest; length++) {
      const start = textWord.slice(0, length)
      if (this.#words.has(start) && !isNumber(start)) yield start
    }
    if (textWord.length > sharedLetters) yield* this.#byFirstLetters.get(textWord.slice(0, sharedLetters)) ?? []
  }
}

function add(lists: Map<string, string[]>, key: string, word: string): void {
  const list = lists.get(key)
  if (list) list.push(word)
  else lists.set(key, [word])
}
