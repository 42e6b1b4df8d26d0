import { Type } from 'typebox'
import { isObject } from '../../../kernel/is-object.ts'
import { nothingExpected, passOrFail, quoted, scorerKind } from './scorer.ts'

const maxDepth = 100
const maxCandidates = 20

export const jsonMatch = scorerKind({
  config: Type.Object(
    {
      subset: Type.Boolean({
        default: false,
        description: 'Ignore extra fields of objects in the answer.',
      }),
    },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  needsExpected: () => true,
  score({ subset }, { output, expected }) {
    if (expected === null) return nothingExpected
    const wanted = parsed(expected)
    if (wanted === undefined) return { score: 0, reason: 'The expected_output of the case is not JSON.' }
    const actual = jsonIn(output)
    if (actual === undefined) return { score: 0, reason: `There is no JSON in the answer ${quoted(output)}.` }
    const where = difference(actual.value, wanted.value, subset, 'the value', 0)
    return passOrFail(where === null, `The JSON differs: ${where}.`)
  },
})

interface Parsed {
  value: unknown
}

function parsed(text: string): Parsed | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Finds JSON in text: all of it, a fenced block, or the first object or list. */
export function jsonIn(text: string): Parsed | undefined {
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)```/i.exec(text)?.[1]
  return parsed(text) ?? (fenced === undefined ? undefined : parsed(fenced)) ?? embedded(text)
}

function embedded(text: string): Parsed | undefined {
  let start = -1
  for (let tried = 0; tried < maxCandidates; tried++) {
    start = nextBracket(text, start + 1)
    if (start < 0) return undefined
    const end = closingBracket(text, start)
    const value = end < 0 ? undefined : parsed(text.slice(start, end + 1))
    if (value) return value
  }
  return undefined
}

function nextBracket(text: string, from: number): number {
  const starts = [text.indexOf('{', from), text.indexOf('[', from)].filter((index) => index >= 0)
  return starts.length === 0 ? -1 : Math.min(...starts)
}

/** The end of the object or list that starts at an index. */
function closingBracket(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at
  }
  return -1
}

/** Describes the first difference of two values, or returns null. */
export function difference(
  actual: unknown,
  wanted: unknown,
  subset: boolean,
  path: string,
  depth: number,
): string | null {
  if (depth > maxDepth) return `${path} is nested too deeply to be compared`
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return `${path} is not a list`
    if (actual.length !== wanted.length) return `${path} has ${actual.length} items instead of ${wanted.length}`
    return firstDifference(wanted, (item, index) =>
      difference(actual[index], item, subset, `${path}[${index}]`, depth + 1),
    )
  }
  if (isObject(wanted)) {
    if (!isObject(actual)) return `${path} is not an object`
    const more = subset ? undefined : Object.keys(actual).find((name) => !Object.hasOwn(wanted, name))
    if (more !== undefined) return `${path} has the field "${more}", which is not expected`
    return firstDifference(Object.keys(wanted), (name) =>
      Object.hasOwn(actual, name)
        ? difference(actual[name], wanted[name], subset, `${path}.${name}`, depth + 1)
        : `${path} has no field "${name}"`,
    )
  }
  return actual === wanted ? null : `${path} is ${brief(actual)} instead of ${brief(wanted)}`
}

function firstDifference<T>(items: T[], look: (item: T, index: number) => string | null): string | null {
  for (const [index, item] of items.entries()) {
    const difference = look(item, index)
    if (difference !== null) return difference
  }
  return null
}

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`
}
