import { jsonLines } from './json-lines.ts'

/** A piece of text from the result of a tool. */
export interface Passage {
  content: string
  score: number | null
  source: string | null
  page: number | null
  /** The headings above it, outermost first. */
  headings: string[]
  tool: string
  kind: PassageKind
  /** The number under which a search offers it for citation; null if it cannot be cited. */
  citation: number | null
}

/** Found by a search, or the plain answer of a tool, as text or as lines of `key: value`. */
export type PassageKind = 'found' | 'text' | 'data'

/** How deep search results may be nested. */
const maxDepth = 3

/** The passages in the result of a tool, in order: search results, or the whole result. */
export function passagesIn(content: string, tool: string): Passage[] {
  const whole = { score: null, source: null, page: null, headings: [], citation: null, tool }
  const value = parseJson(content)
  if (value === undefined || typeof value === 'string') return [{ content: value ?? content, kind: 'text', ...whole }]
  const parts = textParts(value)
  if (parts) return parts.flatMap((text) => passagesIn(text, tool))
  const results = resultsIn(value) ?? textsIn(value)
  if (results) return results.map((result) => ({ ...toPassage(result), tool }))
  return [{ content: jsonLines(value), kind: 'data', ...whole }]
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** The texts of an MCP result. Each may again be any kind of result. */
function textParts(value: unknown): string[] | null {
  if (!isObject(value) || !Array.isArray(value.content) || value.content.length === 0) return null
  const texts = value.content.map((part) => (isObject(part) && part.type === 'text' ? part.text : null))
  return texts.every((text) => typeof text === 'string') ? texts : null
}

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The elements of every list called `results`, or null if there is none. */
const resultsIn = (value: unknown): unknown[] | null =>
  collect(value, (each) => (isObject(each) ? each.results : undefined))

/** The elements of every list whose elements have a text, whatever its name. */
const textsIn = (value: unknown): unknown[] | null =>
  collect(value, (each) => (Array.isArray(each) && each.length > 0 ? each : undefined))

function collect(value: unknown, listIn: (each: unknown) => unknown): unknown[] | null {
  const lists: unknown[][] = []
  const visit = (at: object, depth: number) => {
    const list = listIn(at)
    if (Array.isArray(list) && isListOfTexts(list)) lists.push(list)
    else if (depth < maxDepth) {
      for (const each of Object.values(at)) if (typeof each === 'object' && each !== null) visit(each, depth + 1)
    }
  }
  if (typeof value === 'object' && value !== null) visit(value, 0)
  return lists.length === 0 ? null : lists.flat()
}

const isListOfTexts = (list: unknown[]): boolean => list.length === 0 || list.some((each) => passageText(each) !== null)

function passageText(result: unknown): string | null {
  if (!isObject(result)) return null
  const text = [result.content, result.text, result.snippet].find((each) => typeof each === 'string')
  return typeof text === 'string' ? text : null
}

function toPassage(result: unknown): Omit<Passage, 'tool'> {
  const fields = isObject(result) ? result : {}
  const metadata = isObject(fields.metadata) ? fields.metadata : {}
  const source = typeof metadata.source === 'string' ? metadata.source : null
  // Other tools may number their results too, but only a search names the document.
  const isCitable = source !== null && Number.isSafeInteger(fields.index) && Number(fields.index) > 0
  return {
    content: passageText(result) ?? '',
    score: typeof fields.score === 'number' && Number.isFinite(fields.score) ? fields.score : null,
    source,
    page: typeof metadata.page === 'number' ? metadata.page : null,
    headings: Array.isArray(metadata.headings) ? metadata.headings.filter((each) => typeof each === 'string') : [],
    kind: 'found',
    citation: isCitable ? Number(fields.index) : null,
  }
}
