import { rankSentences } from '@parley/local-model'

/** One `[n]` of a text: the passage it names, and the words there that bear out what is said. */
export interface Cited {
  /** The n of `[n]`. */
  index: number
  /** The characters `start` to `end` of the passage. */
  start: number
  end: number
  quote: string
}

const marker = /\[(\d+(?:\s*[,;–-]\s*\d+)*)\]/g
/** From the first blank on: from each of very many, all that follow would be read again. */
const spacedMarker = /(?<! )( *)\[(\d+(?:\s*[,;–-]\s*\d+)*)\]/g
const longestClaim = 500
const longestQuote = 300

/** Writes every citation as `[n]`, and takes out those that point nowhere. */
export function checkedText(text: string, passages: readonly string[]): string {
  const plain = text.replace(/【(\d+)[^】]{0,40}】/g, '[$1]')
  return plain.replace(spacedMarker, (all, space: string, numbers: string, at: number) => {
    if (space === '' && isQuoted(plain, at, all, passages)) return all
    const good = numbersOf(numbers).filter((number) => number >= 1 && number <= passages.length)
    return good.length === 0 ? '' : space + good.map((number) => `[${number}]`).join('')
  })
}

/** What is glued to a word, as in `items[2]`, and stands so in a passage is no citation: it was quoted from there. */
function isQuoted(text: string, at: number, mark: string, passages: Iterable<string>): boolean {
  const [word] = /\S{1,100}$/.exec(text.slice(Math.max(0, at - 100), at)) ?? []
  return word !== undefined && [...passages].some((passage) => passage.includes(word + mark))
}

/** The citations of a text, in its order; the passages go by the n of `[n]`. */
export async function citationsIn(text: string, passages: ReadonlyMap<number, string>): Promise<Cited[]> {
  const cited = new Map<string, Cited>()
  let from = 0
  let claim = ''
  for (const found of text.matchAll(marker)) {
    if (isQuoted(text, found.index, found[0], passages.values())) continue
    const before = text.slice(from, found.index).trim()
    if (/[\p{L}\p{N}]/u.test(before)) claim = before.slice(-longestClaim)
    from = found.index + found[0].length
    for (const index of numbersOf(found[1] ?? '')) {
      const content = passages.get(index)
      if (content === undefined) continue
      const citation = { index, ...(await quoteFor(claim, content)) }
      cited.set(`${index} ${citation.start} ${citation.end}`, citation)
    }
  }
  return [...cited.values()]
}

/** The words of a passage that a claim rests on: the claim itself where it is one, else the sentence closest to it. */
export async function quoteFor(claim: string, content: string): Promise<Omit<Cited, 'index'>> {
  const said = claim.trim()
  const at = said === '' ? -1 : content.indexOf(said)
  if (at >= 0) return { start: at, end: at + said.length, quote: said }
  const [best] = await rankSentences(said, [{ content }])
  if (best) return { start: best.start, end: best.end, quote: best.text }
  const start = content.length - content.trimStart().length
  const end = Math.min(content.trimEnd().length, start + longestQuote)
  return { start, end, quote: content.slice(start, end) }
}

/** `1, 3-5` means 1, 3, 4 and 5. */
function numbersOf(text: string): number[] {
  const numbers = new Set<number>()
  for (const part of text.split(/[,;]/)) {
    const [first = Number.NaN, last = first] = part.split(/[–-]/).map(Number)
    const widest = Math.min(last, first + 50)
    for (let number = first; number <= widest; number++) numbers.add(number)
  }
  return [...numbers]
}
