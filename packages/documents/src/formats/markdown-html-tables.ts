import { markdownFromHtml } from './html-to-markdown.ts'

const fenceOrTable = /^ {0,3}(?:(`{3,}|~{3,})|<table[\s>])/gim
const tableTag = /<(\/?)table\b[^>]*>/gi

/** Converts the tables that a Markdown text has as HTML to tables of Markdown. Code stays as it is. */
export function convertHtmlTables(text: string): string {
  if (!/<table[\s>]/i.test(text)) return text
  let converted = ''
  let end = 0
  fenceOrTable.lastIndex = 0
  for (let found = fenceOrTable.exec(text); found; found = fenceOrTable.exec(text)) {
    const [, fence] = found
    const next = fence === undefined ? endOfTable(text, found.index) : endOfFence(text, fence, fenceOrTable.lastIndex)
    if (fence === undefined && next > found.index) {
      const { markdown } = markdownFromHtml(text.slice(found.index, next))
      converted += `${text.slice(end, found.index).trimEnd()}\n\n${markdown}\n\n`
      end = next + (/^\s*/.exec(text.slice(next, next + 100))?.[0].length ?? 0)
    }
    fenceOrTable.lastIndex = Math.max(next, fenceOrTable.lastIndex)
  }
  return (converted + text.slice(end)).trimStart()
}

/** The position after the tag that closes the table; that of its beginning if none does. */
function endOfTable(text: string, start: number): number {
  let depth = 0
  tableTag.lastIndex = start
  for (let tag = tableTag.exec(text); tag; tag = tableTag.exec(text)) {
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return tableTag.lastIndex
  }
  return start
}

function endOfFence(text: string, fence: string, from: number): number {
  const close = text.indexOf(`\n${fence}`, from)
  return close < 0 ? text.length : close + 1 + fence.length
}
