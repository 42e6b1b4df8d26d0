import { endsHard } from './line-breaks.ts'

/** A piece of a text: the characters from `start` up to `end`. */
export interface Span {
  start: number
  end: number
}

/** A quotation longer than this helps nobody: what has no full stop for so long is cut at weaker places. */
export const longestSentence = 700

// The repeats are bounded: a megabyte of full stops must not be read again from each of them.
const possibleEnds =
  /\n|[.!?…]{1,8}(?:["'”’»)*_]|\[\d{1,3}\]){0,6}(?=\s|$)|[。！？｡]{1,8}["'”’」』）》】]{0,4}|[؟۔।॥።]{1,8}["'”’»)]{0,4}/g

/** The sentences of a text up to a place in it, in order, without the space and the bullets around them. */
export function sentencesOf(text: string, to = text.length): Span[] {
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
  if (mark === '\n') return endsHard(text, at)
  const first = mark.charAt(0)
  if (!'.!?…'.includes(first)) return true
  const next = text.slice(at + mark.length, at + mark.length + 40)
  // "Yahoo! is" and "z. B. so" go on; what follows a sentence does not begin in lower case.
  if (/^\s+["'“„‘«([]{0,2}\p{Ll}/u.test(next)) return false
  if (first !== '.' || mark.startsWith('..')) return true
  return !goesOnAfterPoint(text.slice(Math.max(start, at - 16), at), next, isGerman)
}

const beforeNames =
  /(?:^|[\s("'“„‘[])(?:Mr|Mrs|Ms|Messrs|Dr|Drs|Prof|St|Ste|Gen|Rep|Sen|Gov|Lt|Col|Capt|Cmdr|Sgt|Maj|Adm|Rev|Hon|Pres|Mt|Ft|vs|cf|approx|Fig|Figs|Eq|Eqs|No|Nos|Vol|Ch|Sec|Art|Abs|Nr|Str|Hr|Fr|bzw|sog|z\.\s?B|d\.\s?h|u\.\s?a|v\.\s?a|e\.g|i\.e|ca|geb|gest|Jan|Feb|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Okt|Nov|Dec|Dez)$/
const maybeLast =
  /(?:^|[\s("'“„‘[.])(?:\p{L}|\p{Lu}\.\p{Lu}|[ap]\.m|Jr|Sr|Inc|Ltd|Co|Corp|Bros|al|etc|usw|ed|eds|pp|Chr|Mio|Mrd)$/u
const listNumber = /(?:^|\n)\s*(?:\d{1,3}|\p{L})$/u
const ordinal = /(?:^|\s)\d{1,2}$/
const opening =
  /^\s+["'“„‘«([]{0,2}(?:The|It|Its|He|His|She|Her|They|Their|This|That|These|Those|There|In|On|At|By|For|From|After|Before|When|While|As|If|But|And|However|Although|Since|During|We|You|I|An?|Der|Die|Das|Dies\p{Ll}*|Er|Sie|Es|Im|Am|Ein\p{Ll}*|Nach|Auch|Bei|Seit|Mit|Von|Zu|Als|Wenn|Aber|Und|Doch|Jedoch)\s/u

/** Whether a full stop only ends an abbreviation, an initial, a number of a list or a German ordinal. */
function goesOnAfterPoint(before: string, next: string, isGerman: boolean): boolean {
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
  start = Math.min(end, afterLineMark(text, from, start))
  while (end - start > longestSentence) {
    const cut = weakerPlace(text, start)
    addTrimmed(spans, text, start, cut)
    start = cut
    while (start < end && isSpace(text, start)) start++
  }
  if (start < end) spans.push({ start, end })
}

const lineMark = /(?:[-*+•‣▪]|#{1,6}|>)[ \t]+/y

/** A bullet or the mark of a heading says nothing once the line stands elsewhere. */
function afterLineMark(text: string, from: number, start: number): number {
  lineMark.lastIndex = start
  const isLineStart = start === 0 || text.slice(from, start).includes('\n') || text.charAt(start - 1) === '\n'
  return isLineStart && lineMark.test(text) ? lineMark.lastIndex : start
}

const isSpace = (text: string, at: number): boolean => text.charAt(at).trim() === ''

const weakerMarks = [/[;；:：]\s?/g, /[,，、،]\s?|\s[–—-]\s/g, /\s/g]

/** Where to cut a run that is too long: at its last semicolon, comma or space that leaves a piece worth reading. */
function weakerPlace(text: string, start: number): number {
  const piece = text.slice(start, start + longestSentence)
  for (const marks of weakerMarks) {
    const last = [...piece.matchAll(marks)].at(-1)
    if (last && last.index > longestSentence / 3) return start + last.index + last[0].length
  }
  const end = start + piece.length
  // A character of two units is not torn apart.
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end
}
