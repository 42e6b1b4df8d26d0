import { isStopWord, type Language } from '../text/language.ts'
import { allTermsIn, type TextTerms } from './tool-words.ts'

interface NumberMention {
  value: number
  /** The terms of the text around the number, which say what it counts. */
  context: TextTerms
}

/** Parts of a message that could be arguments of a tool. */
export interface Mentions {
  terms: TextTerms
  urls: string[]
  emails: string[]
  quoted: string[]
  /** Written as year-month-day. */
  dates: string[]
  numbers: NumberMention[]
  /** Order numbers and the like. */
  codes: string[]
  places: string[]
  /** Places that follow "from" and "to". */
  from: string | null
  to: string | null
  /** Capitalized words that do not start a sentence. */
  names: string[]
  /** A calculation, such as 3 * (4 + 1). */
  calculation: string | null
}

/** Arguments are not expected after this. */
const maxMessageLength = 4000

export function mentionsIn(message: string): Mentions {
  const text = message.slice(0, maxMessageLength)
  // Recognised parts are blanked out, so that the day of a date is not read as a number.
  let rest = text
  const take = (pattern: RegExp, group = 0): string[] => {
    const found: string[] = []
    rest = rest.replace(pattern, (...parts) => {
      found.push(String(parts[group]))
      return ' '.repeat(String(parts[0]).length)
    })
    return found
  }
  const urls = take(/https?:\/\/[^\s<>"'“”]+[^\s<>"'“”.,;:!?)\]]/gi)
  const emails = take(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g)
  const quoted = take(/["“„«]([^"“”„«»]{1,200})["”“»]/g, 1)
  const dates = datesIn(take)
  const codes = take(
    /#?\b(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+){0,6}\b|#\d{1,20}\b/g,
  )
  const calculation = rest.match(/[(\d][\d\s().,]*(?:[-+*/×÷^][\d\s().,]+)+/)?.[0].trim() ?? null
  const terms = allTermsIn(text)
  return {
    terms,
    urls,
    emails,
    quoted,
    dates,
    numbers: numbersIn(rest, terms.language),
    codes: codes.map((code) => code.replace(/^#/, '')),
    calculation,
    ...placesIn(rest),
    names: namesIn(rest, terms.language),
  }
}

const months = [
  /jan(?:uary|uar)?/,
  /feb(?:ruary|ruar)?/,
  /mar(?:ch)?|märz/,
  /apr(?:il)?/,
  /may|mai/,
  /jun[ei]?/,
  /jul[yi]?/,
  /aug(?:ust)?/,
  /sep(?:t(?:ember)?)?/,
  /o[ck]t(?:ober)?/,
  /nov(?:ember)?/,
  /de[cz](?:ember)?/,
]
const anyMonth = months.map(({ source }) => source).join('|')

function datesIn(take: (pattern: RegExp) => string[]): string[] {
  const iso = take(/\b\d{4}-\d{2}-\d{2}\b/g)
  const dayFirst = take(new RegExp(`\\b\\d{1,2}(?:\\.|st|nd|rd|th)?\\s(?:of )?(?:${anyMonth})\\.?,?\\s\\d{4}\\b`, 'gi'))
  const monthFirst = take(new RegExp(`\\b(?:${anyMonth})\\.?\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4}\\b`, 'gi'))
  const german = take(/\b\d{1,2}\.\d{1,2}\.\d{4}\b/g).map((date) => date.split('.').reverse())
  const worded = [...dayFirst, ...monthFirst].map((date) => [
    date.match(/\d{4}$/)?.[0] ?? '',
    String(months.findIndex((month) => new RegExp(`(?<!\\p{L})(?:${month.source})(?!\\p{L})`, 'iu').test(date)) + 1),
    date.match(/\d{1,2}/)?.[0] ?? '',
  ])
  const parts = [...iso.map((date) => date.split('-')), ...worded, ...german]
  return parts.map((part) => part.map((each) => each.padStart(2, '0')).join('-')).filter(isDate)
}

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

function numbersIn(text: string, language: Language): NumberMention[] {
  return [...text.matchAll(/(?<![\w.,])-?\d+(?:[.,]\d+)*(?![\w])/g)].flatMap(({ 0: written, index }) => {
    const value = parseNumber(written, language === 'german')
    const context = text.slice(Math.max(0, index - 30), index + written.length + 30)
    return Number.isFinite(value) ? [{ value, context: allTermsIn(context, language) }] : []
  })
}

/** 1,250.5 in English is 1.250,5 in German. */
function parseNumber(written: string, isGerman: boolean): number {
  const [group, point] = isGerman ? ['.', ','] : [',', '.']
  const isGrouped = new RegExp(`^-?\\d{1,3}(?:\\${group}\\d{3})+(?:\\${point}\\d+)?$`).test(written)
  const plain = isGrouped ? written.replaceAll(group, '') : written
  return Number(plain.replace(point, '.').replace(group, '.'))
}

const name = "\\p{Lu}[\\p{L}'’-]*(?:\\s(?:(?:de|del|la|le|am|an der|of|upon)\\s)?\\p{Lu}[\\p{L}'’-]*){0,3}"
const afterPreposition = [
  new RegExp(`(?<!\\p{L})(?:in|at|near|around|bei|aus)\\s(${name})`, 'gu'),
  new RegExp(`(?<!\\p{L})(?:for|für|um)\\s(${name})`, 'gu'),
]
const afterFrom = new RegExp(`(?<!\\p{L})(?:from|von|ab)\\s(${name})`, 'u')
const afterTo = new RegExp(`(?<!\\p{L})(?:to|nach|bis)\\s(${name})`, 'u')

const isTime = new RegExp(`^(?:${anyMonth}|\\p{L}+day|\\p{L}+tag|mittwoch)$`, 'iu')

function placesIn(text: string): Pick<Mentions, 'places' | 'from' | 'to'> {
  const from = text.match(afterFrom)?.[1] ?? null
  const to = text.match(afterTo)?.[1] ?? null
  const places = afterPreposition.flatMap((pattern) => [...text.matchAll(pattern)].map(([, place]) => place ?? ''))
  // In chats, names are not always capitalized: "weather in paris?"
  const uncapitalised = text.match(/(?<!\p{L})(?:in|near|at)\s(\p{Ll}{3,30}(?:\s\p{Ll}{3,30})?)[\s?!.]{0,9}$/u)?.[1]
  const all = [...places, to ?? '', from ?? '', uncapitalised ?? ''].filter(
    (place) => place !== '' && !isTime.test(place),
  )
  return { places: all, from, to }
}

function namesIn(text: string, language: Language): string[] {
  return [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${name}`, 'gu'))]
    .filter(({ 0: found, index }) => {
      const isOpening = index === 0 || /[.!?]\s{1,3}$/.test(text.slice(Math.max(0, index - 4), index))
      return !isOpening && found.length > 1 && !isStopWord(found, language)
    })
    .map(([found]) => found)
}
