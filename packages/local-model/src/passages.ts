import type { ModelMessage } from '../../../server/src/kernel/llm/model.ts'
import { linesOf } from './json-lines.ts'

/** A piece of text that a tool gave in this turn. Its place in the list, from 1, is the number it is cited by. */
export interface TurnPassage {
  content: string
  score: number | null
  source: string | null
  page: number | null
  tool: string
  toolCallId: string
  kind: PassageKind
}

/** Found by a search, or the plain answer of a tool, as text or as lines of `key: value`. */
export type PassageKind = 'found' | 'text' | 'data'

/** Search results may be wrapped, but no deeper than this. */
const deepest = 3

/** What the tools have given since the user last spoke, in order. */
export function passagesOfTurn(messages: readonly ModelMessage[]): TurnPassage[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(lastUser + 1).flatMap((message) => (message.role === 'tool' ? passagesOf(message) : []))
}

/** Whether a tool that found nothing says that more may be found soon. */
export function isIncomplete(messages: readonly ModelMessage[]): boolean {
  return messages.some((message) => {
    const value = message.role === 'tool' ? parsed(message.content) : undefined
    return isObject(value) && typeof value.incomplete === 'string'
  })
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function passagesOf({ content, name, toolCallId }: ToolMessage): TurnPassage[] {
  const from = { tool: name, toolCallId }
  const whole = { score: null, source: null, page: null, ...from }
  const value = parsed(content)
  if (value === undefined || typeof value === 'string') {
    return [{ content: typeof value === 'string' ? value : content, kind: 'text', ...whole }]
  }
  const parts = textParts(value)
  if (parts) return parts.flatMap((text) => passagesOf({ role: 'tool', content: text, name, toolCallId }))
  const results = resultsIn(value) ?? textsIn(value)
  if (results) return results.map((result) => ({ ...passageOf(result), ...from }))
  return [{ content: linesOf(value), kind: 'data', ...whole }]
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** The texts of an answer in the manner of MCP: each may be anything that a tool answers with. */
function textParts(value: unknown): string[] | null {
  if (!isObject(value) || !Array.isArray(value.content) || value.content.length === 0) return null
  const texts = value.content.map((part) => (isObject(part) && part.type === 'text' ? part.text : null))
  return texts.every((text) => typeof text === 'string') ? texts : null
}

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every list called `results`, one after the other, or null where there is none. */
const resultsIn = (value: unknown): unknown[] | null =>
  gathered(value, (each) => (isObject(each) ? each.results : undefined))

/** Every list whose elements have a text of their own, whatever it is called. */
const textsIn = (value: unknown): unknown[] | null =>
  gathered(value, (each) => (Array.isArray(each) && each.length > 0 ? each : undefined))

function gathered(value: unknown, listIn: (each: unknown) => unknown): unknown[] | null {
  const found: unknown[][] = []
  const look = (at: object, depth: number) => {
    const list = listIn(at)
    if (Array.isArray(list) && isListOfTexts(list)) found.push(list)
    else if (depth < deepest) {
      for (const each of Object.values(at)) if (typeof each === 'object' && each !== null) look(each, depth + 1)
    }
  }
  if (typeof value === 'object' && value !== null) look(value, 0)
  return found.length === 0 ? null : found.flat()
}

const isListOfTexts = (list: unknown[]): boolean => list.length === 0 || list.some((each) => textOf(each) !== null)

function textOf(result: unknown): string | null {
  if (!isObject(result)) return null
  const text = [result.content, result.text, result.snippet].find((each) => typeof each === 'string')
  return typeof text === 'string' ? text : null
}

/** A result without text keeps its place, so that the numbers of the others are right. */
function passageOf(result: unknown): Omit<TurnPassage, 'tool' | 'toolCallId'> {
  const fields = isObject(result) ? result : {}
  const metadata = isObject(fields.metadata) ? fields.metadata : {}
  return {
    content: textOf(result) ?? '',
    score: typeof fields.score === 'number' && Number.isFinite(fields.score) ? fields.score : null,
    source: typeof metadata.source === 'string' ? metadata.source : null,
    page: typeof metadata.page === 'number' ? metadata.page : null,
    kind: 'found',
  }
}
