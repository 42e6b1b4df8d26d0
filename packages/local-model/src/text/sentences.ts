import { isHardBreak } from './line-breaks.ts'
import type { Span } from './span.ts'
import { isAligned, lineEnd } from './table-rows.ts'

/** Longer text without a full stop is cut at semicolons, commas or spaces. */
export const maxSentenceLength = 700

// Repetitions are bounded, so that a megabyte of full stops does not take quadratic time.
const possibleEnds =
  /\n|[.!?…]{1,8}(?:["'”’»)*_]|\[\d{1,3}\]){0,6}(?=\s|$)|[。！？｡]{1,8}["'”’」』）》】]{0,4}|[؟۔।॥።]{1,8}["'”’»)]{0,4}/g

/** The sentences of a text up to an offset, without surrounding space and bullets. */
export function splitSentences(text: string, to = text.length): Span[] {
  const spans: Span[] = []
  const last = Math.min(to, text.length)
  const isGerman = germanWords.test(text.slice(0, 4000))
  let start = 0
  possibleEnds.lastIndex = 0
  for (let match = possibleEnds.exec(text); match !== null && match.index < last; match = possibleEnds.exec(text)) {
    const end = match.index + match[0].length
    if (!isEnd(text, match.index, match[0], start, isGerman)) continue
    addTrimmed(spans, text, start, end)
    start = end
  }
  addTrimmed(spans, text, start, last)
  return spans
}

function isEnd(text: string, at: number, mark: string, start: number, isGerman: boolean): boolean {
  if (mark === '\n') return isHardBreak(text, at)
  // A row of a table is one sentence, whatever its cells contain.
  if (rowStart.test(text.slice(start, start + 8)) || isAligned(text.slice(start, lineEnd(text, at)).trim()))
    return false
  const first = mark.charAt(0)
  if (!'.!?…'.includes(first)) return true
  const next = text.slice(at + mark.length, at + mark.length + 40)
  // "Yahoo! is" and "z. B. so" go on: a new sentence does not start in lower case.
  if (/^\s+["'“„‘«([]{0,2}\p{Ll}/u.test(next)) return false
  if (first !== '.' || mark.startsWith('..')) return true
  return !continuesAfterPeriod(text.slice(Math.max(start, at - 16), at), next, isGerman)
}

const rowStart = /^\s*\|/

const beforeNames =
  /(?:^|[\s("'“„‘[])(?:Mr|Mrs|Ms|Messrs|Dr|Drs|Prof|St|Ste|Gen|Rep|Sen|Gov|Lt|Col|Capt|Cmdr|Sgt|Maj|Adm|Rev|Hon|Pres|Mt|Ft|vs|cf|approx|Fig|Figs|Eq|Eqs|No|Nos|Vol|Ch|Sec|Art|Abs|Nr|Str|Hr|Fr|bzw|sog|z\.\s?B|d\.\s?h|u\.\s?a|v\.\s?a|e\.g|i\.e|ca|geb|gest|Jan|Feb|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Okt|Nov|Dec|Dez)$/
const maybeLast =
  /(?:^|[\s("'“„‘[.])(?:\p{L}|\p{Lu}\.\p{Lu}|[ap]\.m|Jr|Sr|Inc|Ltd|Co|Corp|Bros|al|etc|usw|ed|eds|pp|Chr|Mio|Mrd)$/u
const listNumber = /(?:^|\n)\s*(?:\*\*)?(?:\d{1,3}|\p{L})$/u
const ordinal = /(?:^|\s)\d{1,2}$/
const opening =
  /^\s+["'“„‘«([]{0,2}(?:The|It|Its|He|His|She|Her|They|Their|This|That|These|Those|There|In|On|At|By|For|From|After|Before|When|While|As|If|But|And|However|Although|Since|During|We|You|I|An?|Der|Die|Das|Dies\p{Ll}*|Er|Sie|Es|Im|Am|Ein\p{Ll}*|Nach|Auch|Bei|Seit|Mit|Von|Zu|Als|Wenn|Aber|Und|Doch|Jedoch)\s/u

/** Whether a period only ends an abbreviation, an initial, a list number or a German ordinal. */
function continuesAfterPeriod(before: string, next: string, isGerman: boolean): boolean {
  if (beforeNames.test(before) || listNumber.test(before)) return true
  const isUnclear = maybeLast.test(before) || (isGerman && ordinal.test(before))
  return isUnclear && next.trim() !== '' && !opening.test(next)
}

const germanWords =
  /\b(?:und|der|die|das|ist|nicht|ein|eine)\b[\s\S]{0,400}\b(?:und|der|die|das|ist|nicht|von|im|am|den|dem|wird|war)\b/i

function addTrimmed(spans: Span[], text: string, from: number, to: number): void {
  let start = from
  let end = to
  while (start < end && isSpace(text, start)) start++
  while (end > start && isSpace(text, end - 1)) end--
  start = Math.min(end, afterBullet(text, from, start))
  while (end - start > maxSentenceLength) {
    const cut = cutPosition(text, start)
    addTrimmed(spans, text, start, cut)
    start = cut
    while (start < end && isSpace(text, start)) start++
  }
  if (start < end) spans.push({ start, end })
}

const bullet = /(?:[-*+•‣▪]|#{1,6}|>)[ \t]+/y

/** Skips a bullet or heading mark, which means nothing in a quotation. */
function afterBullet(text: string, from: number, start: number): number {
  bullet.lastIndex = start
  const isLineStart = start === 0 || text.slice(from, start).includes('\n') || text.charAt(start - 1) === '\n'
  return isLineStart && bullet.test(text) ? bullet.lastIndex : start
}

const isSpace = (text: string, at: number): boolean => text.charAt(at).trim() === ''

const cutMarks = [/[;；:：]\s?/g, /[,，、،]\s?|\s[–—-]\s/g, /\s/g]

/** Where to cut text that is too long: at the last semicolon, comma or space that leaves a readable piece. */
function cutPosition(text: string, start: number): number {
  const piece = text.slice(start, start + maxSentenceLength)
  for (const marks of cutMarks) {
    const last = [...piece.matchAll(marks)].at(-1)
    if (last && last.index > maxSentenceLength / 3) return start + last.index + last[0].length
  }
  const end = start + piece.length
  // Never cuts a surrogate pair.
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end
}
