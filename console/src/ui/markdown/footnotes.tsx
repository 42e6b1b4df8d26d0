import type { MarkdownIt } from 'markdown-it'
import { createContext, type ReactNode, useContext } from 'react'

const definition = /^\[\^([\w-]{1,30})\]:[ \t]*/
const reference = /\[\^([\w-]{1,30})\](?!:)/g

/** Adds footnotes: `[^1]: A note.` up to the next empty line or note. */
export function addFootnotes(parser: MarkdownIt): void {
  parser.block.ruler.before(
    'reference',
    'footnote',
    (state, startLine, endLine, silent) => {
      const lineText = (line: number) =>
        state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
      const first = lineText(startLine)
      const [mark, label] = definition.exec(first) ?? []
      if (mark === undefined || label === undefined || state.level > 0) return false
      if (silent) return true
      let end = startLine + 1
      while (end < endLine && !state.isEmpty(end) && !definition.test(lineText(end))) end++
      const lines = Array.from({ length: end - startLine - 1 }, (_, at) => lineText(startLine + 1 + at).trim())
      const open = state.push('footnote_open', 'li', 1)
      open.info = label
      open.map = [startLine, end]
      const inline = state.push('inline', '', 0)
      inline.content = [first.slice(mark.length), ...lines].join('\n').trim()
      inline.map = open.map
      inline.children = []
      state.push('footnote_close', 'li', -1)
      state.line = end
      return true
    },
    { alt: ['paragraph'] },
  )
}

/** The numbers of footnotes by their labels, in the order in which the text refers to them. */
export function footnoteNumbers(text: string): Map<string, number> {
  const labels = new Set([...text.matchAll(reference)].map(([, label = '']) => label))
  return new Map([...labels].map((label, at) => [label, at + 1]))
}

interface Footnotes {
  numbers: ReadonlyMap<string, number>
  /** The labels that have a note. */
  defined: ReadonlySet<string>
  /** The start of the ids of this text. */
  prefix: string
}

export const FootnotesContext = createContext<Footnotes>({ numbers: new Map(), defined: new Set(), prefix: '' })

const noteId = (prefix: string, label: string) => `${prefix}note-${label}`
const markId = (prefix: string, label: string) => `${prefix}mark-${label}`

function show(id: string): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ block: 'center' })
  element?.focus()
}

/** The number of a footnote in the text, which leads to it. */
export function FootnoteMark({ label }: { label: string }) {
  const { numbers, defined, prefix } = useContext(FootnotesContext)
  const number = numbers.get(label) ?? label
  if (!defined.has(label)) return <sup>{number}</sup>
  return (
    <sup>
      <button
        type="button"
        className="footnote-mark"
        id={markId(prefix, label)}
        aria-label={`Footnote ${number}`}
        onClick={() => show(noteId(prefix, label))}
      >
        {number}
      </button>
    </sup>
  )
}

/** A footnote below the text, with the way back. */
export function Footnote({ label, children }: { label: string; children: ReactNode }) {
  const { numbers, prefix } = useContext(FootnotesContext)
  return (
    <li id={noteId(prefix, label)} value={numbers.get(label)} tabIndex={-1} dir="auto">
      {children}{' '}
      {numbers.has(label) && (
        <button
          type="button"
          className="footnote-mark"
          aria-label="Back to the text"
          onClick={() => show(markId(prefix, label))}
        >
          ↩
        </button>
      )}
    </li>
  )
}
