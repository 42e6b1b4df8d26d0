import { isObject } from '../../../kernel/is-object.ts'
import { listIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'

export interface DocumentLocation {
  document: Node
  /** The URL it was fetched from. */
  documentUrl: string | null
  /** Overrides the servers in the document. */
  baseUrl: string | null
}

/** The base URL of an operation, without a trailing slash. */
export function operationUrl(location: DocumentLocation, item: Node, operation: Node): string {
  if (location.baseUrl !== null) return location.baseUrl.replace(/\/+$/, '')
  const server = [operation, item, location.document]
    .map((each) => listIn(each, 'servers').find(isObject))
    .find(Boolean)
  const template = (server && textIn(server, 'url')) ?? '/'
  const variables = nodeIn(server ?? {}, 'variables')
  const written = template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = nodeIn(variables, name).default
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
  if (/[{}]/.test(written))
    throw new OperationProblem(`has a server URL with a variable without a default ("${template.slice(0, 200)}")`)
  const address = resolveAgainst(location, written)
  if (address === null) throw new OperationProblem('has no server with an absolute URL; set base_url')
  return address.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

export function resolveAgainst({ documentUrl, baseUrl }: DocumentLocation, url: string): string | null {
  const base = documentUrl ?? baseUrl ?? undefined
  if (!URL.canParse(url, base)) return null
  const resolved = new URL(url, base)
  return resolved.protocol === 'http:' || resolved.protocol === 'https:' ? resolved.href : null
}
