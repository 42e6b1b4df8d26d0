/** The codes that start and end a style. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export type Paint = (style: keyof typeof styles, text: string) => string

// A mark that text from a service cannot have. `clean` turns it into the code of the terminal and removes all other codes.
const mark = `\x1b${crypto.randomUUID()}:`
const marks = new RegExp(`${mark}(\\d+)m`)

export const painter = (hasColor: boolean): Paint => {
  if (!hasColor) return (_, text) => text
  return (style, text) => {
    const [start, end] = styles[style]
    return `${mark}${start}m${text}${mark}${end}m`
  }
}

const bidirectional = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const controls = new RegExp(`[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${bidirectional}]`, 'g')

/**
 * Removes control characters, which could move the cursor, change the title of the terminal or reorder the text. Keeps the
 * styles of `painter`.
 */
export const clean = (text: string): string =>
  text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? `\x1b[${part}m` : part.replace(controls, '')))
    .join('')

/** Text on one line, without control characters. */
export const cleanLine = (text: string): string => text.replace(/\s+/g, ' ').replace(controls, '').trim()

/** JSON without characters that a terminal interprets. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    new RegExp(`[\\x7f-\\x9f${bidirectional}]`, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const zeroWidth = /\p{Mn}|\p{Me}|\p{Cf}/u

const characterWidth = (character: string): number => (zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1)

/** Columns that a text takes in a terminal. */
export const textWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + characterWidth(character), 0)

/** The start of a text, with an ellipsis if it does not fit. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    kept += character
  }
  return `${kept}…`
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))

/** The known word that is most like a mistyped one, or null if none is. */
export function nearest(word: string, known: string[]): string | null {
  const [best] = known
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .sort((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(word.length > 3 ? 2 : 1, Math.floor(word.length / 3)) ? best.name : null
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, a] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, b] of [...other].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)))
    }
    row = next
  }
  return row[other.length] ?? 0
}
