import { parseDocument } from 'yaml'
import { reason } from '../../../kernel/errors.ts'
import { ArgumentError } from '../request/template.ts'
import { type Method, methods } from '../schema.ts'
import { type Draft, draftOf } from './operation.ts'
import { follow, isNode, type Node, nodeIn, OperationProblem, textIn } from './references.ts'

export interface DocumentTask {
  /** JSON or YAML. */
  text: string
  documentUrl: string | null
  baseUrl: string | null
  /** Operation ids, or methods with paths; null for all. */
  chosen: string[] | null
}

export interface ReadResult {
  title: string
  drafts: Draft[]
  skipped: { operation: string; reason: string }[]
}

const maxAliases = 200
const maxOperations = 50_000

/** Turns the operations of an OpenAPI document into tools. Operations that cannot become one are skipped with a reason. */
export function readDocument(task: DocumentTask): ReadResult {
  const document = parsed(task.text)
  const version = textIn(document, 'openapi') ?? ''
  if (document.swagger !== undefined) throw new Error('is a Swagger 2.0 document; convert it to OpenAPI 3 first')
  if (!/^3\.\d/.test(version)) throw new Error('is not an OpenAPI 3.x document: it has no field openapi: "3.…"')
  const source = {
    document,
    isVersion30: version.startsWith('3.0'),
    documentUrl: task.documentUrl,
    baseUrl: task.baseUrl,
  }
  const wanted = task.chosen && new Set(task.chosen.map(normalizeName))
  const result: ReadResult = { title: titleOf(document), drafts: [], skipped: [] }
  let count = 0
  for (const [path, given] of Object.entries(nodeIn(document, 'paths'))) {
    if (!path.startsWith('/')) continue
    const item = itemAt(document, path, given, result)
    for (const [method, operation] of operationsOf(item)) {
      if (++count > maxOperations) throw new Error(`has more than ${maxOperations} operations`)
      const name = `${method} ${path}`
      const id = textIn(operation, 'operationId')
      const isChosen = !wanted || wanted.delete(name) || (id !== undefined && wanted.delete(id))
      if (!isChosen) continue
      try {
        result.drafts.push(draftOf(source, method, path, item, operation))
      } catch (error) {
        result.skipped.push({ operation: name, reason: problemOf(error) })
      }
    }
  }
  for (const name of wanted ?? []) result.skipped.push({ operation: name, reason: 'is not in the document' })
  return result
}

/** Methods may be lower case. */
const normalizeName = (name: string): string =>
  name
    .trim()
    .replace(/^[a-z]+(?= +\/)/i, (method) => method.toUpperCase())
    .replace(/ +/, ' ')

function problemOf(error: unknown): string {
  if (error instanceof OperationProblem) return error.message
  if (error instanceof ArgumentError) return `has an invalid URL: ${error.message}`
  return `could not be read (${reason(error).slice(0, 200)})`
}

function parsed(text: string): Node {
  const trimmed = text.trimStart()
  const found = trimmed.startsWith('{') ? (parsedJson(trimmed) ?? parsedYaml(text)) : parsedYaml(text)
  if (!isNode(found)) throw new Error('is not an OpenAPI document')
  return found
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsedYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false })
    const [error] = document.errors
    if (error) throw error
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    throw new Error(`cannot be read as JSON or YAML: ${reason(error).split('\n')[0]?.slice(0, 300)}`)
  }
}

const titleOf = (document: Node): string =>
  (textIn(nodeIn(document, 'info'), 'title') ?? 'untitled').slice(0, 500).toWellFormed()

function itemAt(document: Node, path: string, given: unknown, result: ReadResult): Node {
  try {
    return follow(document, given)
  } catch (error) {
    result.skipped.push({ operation: path, reason: problemOf(error) })
    return {}
  }
}

function* operationsOf(item: Node): Generator<[Method, Node]> {
  for (const method of methods) {
    const operation = item[method.toLowerCase()]
    if (isNode(operation)) yield [method, operation]
  }
}
