import type { Span } from './sentences.ts'

const fence = /^\s*(?:```|~~~)/
const tableRow = /^\s*\|.*\||\S\s*\|.*\S\s*\|.*\S/
/** Columns of a table in plain text, as PDFs have them. */
const alignedColumns = /\S(?: {3,}|\t)\S.*\S(?: {3,}|\t)\S/
const diagram = /[│├└┌┐┘─┼╞═]/
const heading = /^\s{0,3}#{1,6}\s|^\s*(?:\*\*|__)[^*_]{1,120}(?:\*\*|__)\s*$/
const caption = /^\s*(?:table|figure|fig\.|listing|tabelle|abbildung|abb\.)\s*\d+/i
const codeLine =
  /^\s*(?:[{}\]]|<\/?\w+[ />]|"[\w$ -]+"\s*:|\$ |(?:import|export)\s.*\bfrom\b\s*['"]|from\s+\S+\s+import\s|(?:const|let|var)\s+\S.*=|(?:def|function)\s+\w+\()|(?:\{|\}|=>|\);)\s*$/
const capitals = /^[^\p{Ll}]*\p{Lu}{2}[^\p{Ll}]*[^.!?…\p{Ll}]$/u

/** The lines of a text that are no prose: tables, code, diagrams, headings and captions. Sorted spans. */
export function spansWithoutProse(text: string): Span[] {
  const spans: Span[] = []
  let isCode = startsInsideCode(text)
  for (let start = 0; start <= text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at === -1 ? text.length : at
    const line = text.slice(start, Math.min(end, start + maxLineLength))
    const isFence = fence.test(line)
    if (isCode || isFence || isNoProse(line)) add(spans, start, end)
    if (isFence) isCode = !isCode
    start = end + 1
  }
  return spans
}

/** Bounds the time for long lines, which are prose. */
const maxLineLength = 400

const isNoProse = (line: string): boolean =>
  [tableRow, alignedColumns, diagram, heading, caption, codeLine].some((pattern) => pattern.test(line)) ||
  (line.length < 120 && capitals.test(line.trim()))

/** A passage may begin in the middle of a block: then its first fence closes one and has no language. */
function startsInsideCode(text: string): boolean {
  const fences = [...text.matchAll(/^[ \t]*(?:```|~~~)[ \t]*(\S*)/gm)]
  return fences.length % 2 === 1 && fences[0]?.[1] === ''
}

function add(spans: Span[], start: number, end: number): void {
  const last = spans.at(-1)
  if (last && last.end + 1 >= start) last.end = end
  else spans.push({ start, end })
}

const inlineCode = /`[^`]{1,200}`/g
const link = /\[[^\]]{1,200}\]\([^)]{1,400}\)/g
const keyAndValue = /^[\p{Lu}\d][\p{L}\d /-]{1,40}: \S/u
const terminated = /[.!?…。！？؟۔।:;]["'”’»)*_\]]{0,4}$/
const minLetters = 0.6
const minWords = 4

/** Whether a sentence says something by itself: not a name, a cell, a list of identifiers or a pointer to another page. */
export function isStatement(sentence: string): boolean {
  if (keyAndValue.test(sentence)) return true
  const words = sentence.replace(inlineCode, ' ').replace(link, ' ')
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  const others = words.match(/[^\p{L}\p{M}\p{N}\s.,;:!?'"“”’()-]/gu)?.length ?? 0
  if (letters === 0 || letters / (letters + 2 * others) < minLetters) return false
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(words)) return true
  const count = words.match(/\p{L}[\p{L}\p{M}'’-]*/gu)?.length ?? 0
  return count >= (terminated.test(sentence) ? 2 : minWords)
}
