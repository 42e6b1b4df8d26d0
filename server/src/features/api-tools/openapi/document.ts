import { reason } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { ArgumentError } from '../request/template.ts'
import { type Auth, type Method, methods } from '../schema.ts'
import { bundled, type Upload } from './bundle.ts'
import { readOperation } from './operation.ts'
import { follow, followIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'
import { maxOperations } from './schema.ts'
import { fromSwagger, operationFromSwagger } from './swagger.ts'

export interface DocumentTask extends Upload {
  baseUrl: string | null
  /** Operation ids, or methods with paths; null for all. */
  chosen: string[] | null
  /** Overrides the authentication in the document. */
  auth: Auth | null
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

const maxDraftsLength = 16 * 1024 * 1024

/** Turns the operations of an OpenAPI document into tools. Operations that cannot become one are skipped with a reason. */
export function readDocument(task: DocumentTask): ReadResult {
  const { documentUrl, baseUrl, auth } = task
  const original = bundled(task)
  const isSwagger = String(original.swagger).startsWith('2.')
  const version = isSwagger ? '3.0' : (textIn(original, 'openapi') ?? '')
  if (!/^3\.\d/.test(version))
    throw new Error('is not an OpenAPI 3.x or Swagger 2.0 document: it has no field openapi: "3.…"')
  const document = isSwagger ? fromSwagger(original, documentUrl) : original
  const source = { document, isVersion30: version.startsWith('3.0'), documentUrl, baseUrl, auth }
  const skipped: ReadResult['skipped'] = []
  const chosen = chosenOperations(document, task.chosen, skipped)
  const title = documentTitle(document)
  const count = chosen.length + skipped.length
  if (count > maxOperations) return { title, count, drafts: [], skipped: [] }
  const drafts: string[] = []
  let length = 0
  for (const { method, path, item, operation } of chosen) {
    try {
      const draft = isSwagger
        ? readOperation(source, method, path, {}, operationFromSwagger(document, item, operation, documentUrl))
        : readOperation(source, method, path, item, operation)
      drafts.push(JSON.stringify(draft))
    } catch (error) {
      skipped.push({ operation: `${method} ${path}`, reason: skipReason(error) })
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
  const followed = (name: string, value: unknown): Node | null => {
    try {
      return follow(document, value)
    } catch (error) {
      if (!wanted || wanted.delete(name)) skipped.push({ operation: name, reason: skipReason(error) })
      return null
    }
  }
  for (const [path, pathItem] of Object.entries(followIn(document, document, 'paths'))) {
    const item = path.startsWith('/') ? followed(path, pathItem) : null
    for (const method of methods) {
      const name = `${method} ${path}`
      const value = item?.[method.toLowerCase()]
      const operation = isObject(value) ? followed(name, value) : null
      if (item === null || operation === null) continue
      const id = textIn(operation, 'operationId')
      const isChosen = !wanted || wanted.delete(name) || (id !== undefined && wanted.delete(id))
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

function skipReason(error: unknown): string {
  if (error instanceof OperationProblem) return error.message
  if (error instanceof ArgumentError) return `has an invalid URL: ${error.message}`
  return `could not be read (${reason(error).slice(0, 200)})`
}

const documentTitle = (document: Node): string =>
  (textIn(nodeIn(document, 'info'), 'title') ?? 'untitled').slice(0, 500).toWellFormed()
