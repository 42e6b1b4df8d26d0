import { parseDocument } from 'yaml'
import { reason } from '../../../kernel/errors.ts'
import { ArgumentError } from '../request/template.ts'
import { type Method, maxOperations, methods } from '../schema.ts'
import { draftOf } from './operation.ts'
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
  /** How many operations were chosen. More than `maxOperations` are not read. */
  count: number
  /** Each one as JSON, so that the main thread can parse them one by one. */
  drafts: string[]
  skipped: { operation: string; reason: string }[]
}

interface Chosen {
  method: Method
  path: string
  item: Node
  operation: Node
}

const maxAliases = 200
const maxDraftsLength = 16 * 1024 * 1024

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
  const skipped: ReadResult['skipped'] = []
  const chosen = chosenOperations(document, task.chosen, skipped)
  const title = titleOf(document)
  const count = chosen.length + skipped.length
  if (count > maxOperations) return { title, count, drafts: [], skipped: [] }
  const drafts: string[] = []
  let length = 0
  for (const { method, path, item, operation } of chosen) {
    try {
      drafts.push(JSON.stringify(draftOf(source, method, path, item, operation)))
    } catch (error) {
      skipped.push({ operation: `${method} ${path}`, reason: problemOf(error) })
      continue
    }
    length += drafts.at(-1)?.length ?? 0
    if (length > maxDraftsLength)
      throw new Error(`describes tools of more than ${maxDraftsLength / 1024 ** 2} MiB; choose fewer operations`)
  }
  return { title, count, drafts, skipped }
}

function chosenOperations(document: Node, names: string[] | null, skipped: ReadResult['skipped']): Chosen[] {
  const wanted = names && new Set(names.map(normalizeName))
  const chosen: Chosen[] = []
  for (const [path, given] of Object.entries(nodeIn(document, 'paths'))) {
    if (!path.startsWith('/')) continue
    const item = itemAt(document, path, given, skipped)
    for (const [method, operation] of operationsOf(item)) {
      const id = textIn(operation, 'operationId')
      const isChosen = !wanted || wanted.delete(`${method} ${path}`) || (id !== undefined && wanted.delete(id))
      if (isChosen) chosen.push({ method, path, item, operation })
    }
  }
  for (const name of wanted ?? []) skipped.push({ operation: name, reason: 'is not in the document' })
  return chosen
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

function itemAt(document: Node, path: string, given: unknown, skipped: ReadResult['skipped']): Node {
  try {
    return follow(document, given)
  } catch (error) {
    skipped.push({ operation: path, reason: problemOf(error) })
    return {}
  }
}

function* operationsOf(item: Node): Generator<[Method, Node]> {
  for (const method of methods) {
    const operation = item[method.toLowerCase()]
    if (isNode(operation)) yield [method, operation]
  }
}
