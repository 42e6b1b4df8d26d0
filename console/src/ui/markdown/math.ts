import type { MarkdownIt } from 'markdown-it'

/** Adds formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` as a block. */
export function addMath(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math', (state, silent) => {
    const found = inlineFormula(state.src, state.pos, state.posMax)
    if (!found) return false
    if (!silent) state.push('math_inline', '', 0).content = found.formula
    state.pos = found.end
    return true
  })
  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
      const closing = closings[state.src.slice(start, start + 2)]
      if (!closing || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
      const lines: string[] = []
      // TeX allows no empty line in a formula.
      for (let line = startLine; line < endLine && !state.isEmpty(line); line++) {
        const from = line === startLine ? start + 2 : (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
        const end = state.eMarks[line] ?? from
        if (end - start > maxLength || (state.sCount[line] ?? 0) < state.blkIndent) return false
        const text = state.src.slice(from, end)
        const at = text.indexOf(closing)
        lines.push(at === -1 ? text : text.slice(0, at))
        if (at === -1) continue
        if (text.slice(at + 2).trim() !== '') return false
        if (silent) return true
        const token = state.push('math_block', '', 0)
        token.content = lines.join('\n').trim()
        token.map = [startLine, line + 1]
        state.line = line + 1
        return true
      }
      return false
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
}

const closings: Record<string, string> = { $$: '$$', '\\[': '\\]' }
const maxLength = 4000
/** Bounds the time for many opening marks without a closing one. */
const maxInlineLength = 500

function inlineFormula(text: string, start: number, limit: number): { formula: string; end: number } | null {
  const opening = text.slice(start, start + 2)
  if (opening === '\\(' || opening === '$$') {
    const closing = opening === '$$' ? '$$' : '\\)'
    const at = text.slice(start + 2, Math.min(limit, start + maxInlineLength)).indexOf(closing)
    return at <= 0 ? null : { formula: text.slice(start + 2, start + 2 + at).trim(), end: start + at + 4 }
  }
  if (opening[0] !== '$') return null
  // The rule of Pandoc, which leaves "$5 and $10" alone: no space inside the dollar signs, no digit after them.
  const found = /^\$([^\s$](?:[^$\n]{0,500}?[^\s$\\])?)\$(?!\d)/.exec(text.slice(start, Math.min(limit, start + 510)))
  return found?.[1] ? { formula: found[1], end: start + found[0].length } : null
}
