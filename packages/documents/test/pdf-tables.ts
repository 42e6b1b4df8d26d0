import type { PdfLine } from './documents.ts'

// Pages with tables, drawn as word processors and reporting systems draw them.

type Align = 'left' | 'right' | 'center'
type Words = [text: string, x: number, align?: Align]

const narrow = new Set("iljtfrI.,:;'()|! -")

/** The width in Helvetica. It is exact for figures and close for words. */
function textWidth(text: string, size: number): number {
  let units = 0
  for (const character of text) {
    if (/[\d$€+]/.test(character)) units += 556
    else if (character === '%') units += 889
    else if (character === '(' || character === ')' || character === '-') units += 333
    else if (narrow.has(character)) units += 278
    else units += /[A-Z]/.test(character) ? 690 : 540
  }
  return (units * size) / 1000
}

const placed = (y: number, [text, x, align = 'left']: Words, size: number): PdfLine => {
  const shift = { left: 0, right: 1, center: 0.5 }[align] * textWidth(text, size)
  return { text: text.replace(/[()\\]/g, '\\$&'), x: x - shift, y, size }
}

/** Words on one line, drawn in the given order. */
export const drawn = (y: number, words: Words[], size = 8): PdfLine[] => words.map((one) => placed(y, one, size))

/** Lines of one cell below each other. */
export const stacked = (y: number, texts: string[], x: number, align: Align = 'center', pitch = 9): PdfLine[] =>
  texts.flatMap((text, at) => drawn(y - at * pitch, [[text, x, align]]))

/** A label and figures that end at the given places. A currency sign stands apart from its figure. */
export const figures = (y: number, label: string, ends: number[], values: string[], x = 40): PdfLine[] =>
  drawn(y, [
    [label, x],
    ...values.flatMap((value, at): Words[] => {
      const end = ends[at] ?? 0
      if (value === '') return []
      const sign = /^\$(.*)$/.exec(value)
      // A closing parenthesis or a percent sign stands outside the column, so that the digits are aligned.
      const tail = /^(.*?)(\)?%|\))$/.exec(sign?.[1] ?? value)
      const figure = tail?.[1] ?? sign?.[1] ?? value
      return [
        ...(sign ? [['$', end - 45] satisfies Words] : []),
        [figure, end, 'right'],
        ...(tail?.[2] ? [[tail[2], end + 0.5] satisfies Words] : []),
      ]
    }),
  ])

export const prose = (y: number, lines: string[], x = 40, size = 8, pitch = 10): PdfLine[] =>
  lines.flatMap((line, at) => drawn(y - at * pitch, [[line, x]], size))
