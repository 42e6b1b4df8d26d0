import type { Token } from 'markdown-it'

/** Shorter lines were broken on purpose: verses, addresses, lists without marks. */
const minWrappedLength = 45
const endsOnPurpose = /[.!?:;…。！？]["'”’»)\]*_]*$/
const hyphenated = /\p{L}-$/u
const startsInLowerCase = /^\p{Ll}/u

/** Whether a line break only wraps a text at the width of a page, as in a quotation from a PDF. */
const isWrapped = (line: string, next: string): boolean =>
  line.length >= minWrappedLength && next !== '' && !endsOnPurpose.test(line)

const joins = (line: string, next: string): '' | ' ' =>
  hyphenated.test(line) && startsInLowerCase.test(next) ? '' : ' '

/** A quotation in lines as long as the page it is shown on. Paragraphs stay apart. */
export function withoutWraps(text: string): string {
  const paragraphs = text.split(/\n[ \t]*\n\s*/)
  return paragraphs.map((paragraph) => paragraph.split('\n').reduce(join)).join('\n\n')
}

/** Rows of a table and items of a list keep their lines. */
const startsBlock = /^\s*(?:[|>#•]|[-*+]\s|\d{1,3}[.)]\s)/

function join(before: string, line: string): string {
  if (startsBlock.test(line)) return `${before}\n${line}`
  const start = before.trimEnd()
  const next = line.trimStart()
  return joins(start, next) === '' ? `${start.slice(0, -1)}${next}` : `${start} ${next}`
}

/** Replaces the breaks of wrapped lines in paragraphs by spaces, and joins words that were hyphenated there. */
export function joinWrappedLines(tokens: Token[]): void {
  for (const { type, content, children } of tokens) {
    if (type !== 'inline' || !children || !content.includes('\n')) continue
    const lines = content.split('\n').map((line) => line.trim())
    let at = 0
    for (const [index, token] of children.entries()) {
      if (token.type !== 'softbreak' && token.type !== 'hardbreak') continue
      const line = lines[at] ?? ''
      const next = lines[at + 1] ?? ''
      at++
      if (token.type === 'hardbreak' || !isWrapped(line, next)) continue
      token.type = 'text'
      token.content = joins(line, next)
      const before = children[index - 1]
      if (token.content === '' && before?.type === 'text') before.content = before.content.replace(/-$/, '')
    }
  }
}
