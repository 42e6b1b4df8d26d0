import { readFileSync } from 'node:fs'
import { characterKinds, kind, kindOfAstral } from './characters.ts'
import { detachSubstring } from './detach-substring.ts'

export const unknownToken = 100
export const startToken = 101
export const endToken = 102

const longestWord = 100
const mostCachedWords = 50_000

export interface WordPiece {
  /** The ids of a text's tokens, without the start and end tokens, at most `limit` of them. */
  encode(text: string, limit?: number): Uint16Array
}

/** BERT's uncased WordPiece, as all-MiniLM-L6-v2 uses it. Markers such as `[CLS]` in a text are plain text here. */
export function createWordPiece(): WordPiece {
  const { whole, continued, longest } = readVocabulary()
  const kinds = characterKinds()
  const known = new Map<string, readonly number[]>()

  function piecesOf(word: string): readonly number[] {
    const id = whole.get(word)
    if (id !== undefined) return [id]
    if (word.length === 0) return []
    if (word.length > longestWord && [...word].length > longestWord) return [unknownToken]
    const pieces: number[] = []
    let start = 0
    while (start < word.length) {
      const vocabulary = start === 0 ? whole : continued
      let end = Math.min(word.length, start + longest)
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

  function lookUp(raw: string, plain: boolean): readonly number[] {
    let pieces = known.get(raw)
    if (pieces === undefined) {
      pieces = piecesOf(plain ? raw.toLowerCase() : fold(raw, kinds))
      if (known.size >= mostCachedWords) known.clear()
      known.set(detachSubstring(raw), pieces)
    }
    return pieces
  }

  function encode(text: string, limit = Number.MAX_SAFE_INTEGER): Uint16Array {
    // A token is at least one character, except where folding takes a letter apart; then the buffer grows.
    let ids = new Uint16Array(Math.min(limit, text.length))
    let count = 0
    const add = (raw: string, plain: boolean) => {
      // What is longer cannot be a word even after marks are dropped, and need not be kept to say so.
      const pieces = raw.length > 20 * longestWord ? [unknownToken] : lookUp(raw, plain)
      if (count + pieces.length > ids.length) {
        const grown = new Uint16Array(Math.min(limit, 2 * (count + pieces.length)))
        grown.set(ids.subarray(0, count))
        ids = grown
      }
      for (const piece of pieces) if (count < limit) ids[count++] = piece
    }

    let start = 0
    let plain = true
    let at = 0
    while (at < text.length && count < limit) {
      const code = text.charCodeAt(at)
      let what = kinds[code]
      let width = 1
      if (what === kind.letter) {
        at++
        continue
      }
      if (code >= 0xd800 && code <= 0xdfff) {
        const point = text.codePointAt(at) ?? code
        what = point > 0xffff ? kindOfAstral(point) : kind.dropped
        width = point > 0xffff ? 2 : 1
      }
      if (what === kind.other || what === kind.dropped) {
        plain = false
        at += width
        continue
      }
      if (at > start) add(text.slice(start, at), plain)
      if (what !== kind.space) add(text.slice(at, at + width), code < 0x80)
      at += width
      start = at
      plain = true
    }
    if (at > start) add(text.slice(start, at), plain)
    return ids.subarray(0, count)
  }

  return { encode }
}

/** Takes marks and control characters off, in the order that BERT does: decompose, strip, lower case. */
function fold(raw: string, kinds: Uint8Array): string {
  let folded = ''
  for (const character of raw.normalize('NFD')) {
    const code = character.codePointAt(0) ?? 0
    const what = code > 0xffff ? kindOfAstral(code) : kinds[code]
    const lone = code >= 0xd800 && code <= 0xdfff
    if (what !== kind.dropped && !lone && !isMark.test(character)) folded += character
  }
  return folded.toLowerCase()
}

const isMark = /\p{Mn}/u

function readVocabulary() {
  const file = new URL('../models/wordpiece-uncased/vocab.txt', import.meta.url)
  const whole = new Map<string, number>()
  const continued = new Map<string, number>()
  let longest = 0
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .forEach((token, id) => {
      const isContinued = token.startsWith('##') && token.length > 2
      const piece = isContinued ? token.slice(2) : token
      if (!isSpecial(token)) (isContinued ? continued : whole).set(piece, id)
      longest = Math.max(longest, piece.length)
    })
  return { whole, continued, longest }
}

const isSpecial = (token: string) => token.startsWith('[') && token.endsWith(']') && token.length > 2
