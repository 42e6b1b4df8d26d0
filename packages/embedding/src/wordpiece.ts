import { readFileSync } from 'node:fs'
import { characterType, createTypeTable, typeOfAstral } from './characters.ts'
import { detachSubstring } from './detach-substring.ts'

export const unknownToken = 100
export const startToken = 101
export const endToken = 102

const maxWordLength = 100
const maxCachedWords = 50_000

export interface WordPiece {
  /** The ids of a text's first `limit` tokens, without the start and end tokens. */
  encode(text: string, limit?: number): Uint16Array
}

/** BERT's uncased WordPiece tokenizer, as all-MiniLM-L6-v2 uses it. Special tokens in a text, as `[CLS]`, are plain text. */
export function createWordPiece(): WordPiece {
  const { words, suffixes, maxLength } = readVocabulary()
  const types = createTypeTable()
  /** Cleared when full: with an LRU cache, tokenizing takes 40 % longer. */
  const cache = new Map<string, readonly number[]>()

  function splitWord(word: string): readonly number[] {
    const id = words.get(word)
    if (id !== undefined) return [id]
    if (word.length === 0) return []
    if (word.length > maxWordLength && [...word].length > maxWordLength) return [unknownToken]
    const pieces: number[] = []
    let start = 0
    while (start < word.length) {
      const vocabulary = start === 0 ? words : suffixes
      let end = Math.min(word.length, start + maxLength)
      let piece: number | undefined
      while (end > start) {
        piece = vocabulary.get(word.slice(start, end))
        if (piece !== undefined) break
        end--
      }
      if (piece === undefined) return [unknownToken]
      pieces.push(piece)
      start = end
    }
    return pieces
  }

  function lookUp(word: string, isAscii: boolean): readonly number[] {
    let pieces = cache.get(word)
    if (pieces === undefined) {
      pieces = splitWord(isAscii ? word.toLowerCase() : fold(word, types))
      if (cache.size >= maxCachedWords) cache.clear()
      cache.set(detachSubstring(word), pieces)
    }
    return pieces
  }

  function encode(text: string, limit = Number.MAX_SAFE_INTEGER): Uint16Array {
    // A token has at least one character, unless folding decomposes a letter; then the buffer grows.
    let ids = new Uint16Array(Math.min(limit, text.length))
    let count = 0
    const add = (word: string, isAscii: boolean) => {
      // Longer text is too long for a word even without its marks. It must not fill the cache.
      const pieces = word.length > 20 * maxWordLength ? [unknownToken] : lookUp(word, isAscii)
      if (count + pieces.length > ids.length) {
        const grown = new Uint16Array(Math.min(limit, 2 * (count + pieces.length)))
        grown.set(ids.subarray(0, count))
        ids = grown
      }
      for (const piece of pieces) if (count < limit) ids[count++] = piece
    }

    let start = 0
    let isAscii = true
    let at = 0
    while (at < text.length && count < limit) {
      const code = text.charCodeAt(at)
      let type = types[code]
      let width = 1
      if (type === characterType.letter) {
        at++
        continue
      }
      if (code >= 0xd800 && code <= 0xdfff) {
        const point = text.codePointAt(at) ?? code
        type = point > 0xffff ? typeOfAstral(point) : characterType.dropped
        width = point > 0xffff ? 2 : 1
      }
      if (type === characterType.other || type === characterType.dropped) {
        isAscii = false
        at += width
        continue
      }
      if (at > start) add(text.slice(start, at), isAscii)
      if (type !== characterType.space) add(text.slice(at, at + width), code < 0x80)
      at += width
      start = at
      isAscii = true
    }
    if (at > start) add(text.slice(start, at), isAscii)
    return ids.subarray(0, count)
  }

  return { encode }
}

/** Removes marks and control characters in BERT's order: decompose, strip, lowercase. */
function fold(word: string, types: Uint8Array): string {
  let folded = ''
  for (const character of word.normalize('NFD')) {
    const code = character.codePointAt(0) ?? 0
    const type = code > 0xffff ? typeOfAstral(code) : types[code]
    const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff
    if (type !== characterType.dropped && !isLoneSurrogate && !isMark.test(character)) folded += character
  }
  return folded.toLowerCase()
}

const isMark = /\p{Mn}/u

/** Tokens that start a word, and tokens that continue one (`##` in the file). */
function readVocabulary() {
  const file = new URL('../models/wordpiece-uncased/vocab.txt', import.meta.url)
  const words = new Map<string, number>()
  const suffixes = new Map<string, number>()
  let maxLength = 0
  const tokens = readFileSync(file, 'utf8').trimEnd().split('\n')
  for (const [id, token] of tokens.entries()) {
    const isSuffix = token.startsWith('##') && token.length > 2
    const piece = isSuffix ? token.slice(2) : token
    if (!isSpecial(token)) (isSuffix ? suffixes : words).set(piece, id)
    maxLength = Math.max(maxLength, piece.length)
  }
  return { words, suffixes, maxLength }
}

const isSpecial = (token: string) => token.startsWith('[') && token.endsWith(']') && token.length > 2
