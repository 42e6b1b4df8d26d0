import { Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, Scalar, visit } from 'yaml'
import { CliError } from '../failures.ts'

export type Path = readonly (string | number)[]

export interface Problem {
  path: Path
  message: string
}

/** A parsed file, with the places of its values. */
export interface Source {
  name: string
  value: unknown
  /** `name:line:column` of a value, or of what it is in. */
  locate(path: Path): string
}

const maxBytes = 32 * 1024 * 1024
const maxProblems = 1000
const maxAliasCount = 100

/** Reads YAML 1.2 as plain data: no tags, no duplicate keys and, unless allowed, no anchors. JSON is YAML too. */
export function parseYaml(text: string, name: string, { allowAliases = false } = {}): Source {
  if (Buffer.byteLength(text) > maxBytes) throw new CliError(`${name} is larger than ${maxBytes >> 20} MiB.`)
  const lines = new LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const fail = (offset: number, message: string): never => {
    throw new CliError(`${at(offset)}: ${message}`)
  }
  const document = unlessTooDeep(name, () =>
    parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, stringKeys: true, prettyErrors: false }),
  )
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) fail(problem.pos[0], /call stack/.test(problem.message) ? 'is nested too deeply' : problem.message)
  unlessTooDeep(name, () =>
    visit(document, (_key, node) => {
      if (!isNode(node)) return
      const offset = node.range?.[0] ?? 0
      if (!allowAliases && (isAlias(node) || ('anchor' in node && node.anchor)))
        fail(offset, 'Anchors and aliases (& and *) are not supported. Write the value again.')
      if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
        fail(offset, 'is not a number that JSON has')
    }),
  )
  return {
    name,
    value: unlessTooDeep(name, () => document.toJS({ maxAliasCount }) as unknown),
    locate(path) {
      let node: unknown = document.contents
      let offset = 0
      for (const key of [...path, null]) {
        if (isNode(node)) offset = node.range?.[0] ?? offset
        if (key === null) break
        const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined
        if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset
        node = pair ? pair.value : isSeq(node) ? node.items[key as number] : null
        if (pair && key === path.at(-1)) break // the line of the key
      }
      return at(offset)
    },
  }
}

/** The parser is recursive. */
function unlessTooDeep<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(`${name} is nested too deeply.`)
    if (error instanceof ReferenceError) throw new CliError(`${name}: ${error.message}`) // too many aliases
    throw error
  }
}

/** All problems of a file, each with its place. */
export function problemsError(source: Source, problems: readonly Problem[], hint: string | null = null): CliError {
  const lines = problems
    .slice(0, maxProblems)
    .map(({ path, message }) => `${source.locate(path)}: ${pathText(path)}${message}`)
  const more = problems.length > maxProblems ? [`and ${problems.length - maxProblems} more`] : []
  return new CliError(['The file is not valid.', ...lines, ...more].join('\n'), hint)
}

const pathText = (path: Path): string => {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}

/** Block text for several lines, and never a fold. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && hasEdgeSpace.test(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: 'literal' })
}

/** In a block, empty lines after it would count, and the space at its start would be its indentation. */
const hasEdgeSpace = /^\s|\s\n$|\n[^\S\n]+$/
