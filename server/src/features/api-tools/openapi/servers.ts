import { isNode, listIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'

export interface Place {
  document: Node
  /** Where the document came from, if it was fetched. */
  documentUrl: string | null
  /** Where the API is, whatever the document says. */
  baseUrl: string | null
}

/** The address that the paths of an operation start from, without a slash at its end. */
export function addressOf(place: Place, item: Node, operation: Node): string {
  if (place.baseUrl !== null) return place.baseUrl.replace(/\/+$/, '')
  const server = [operation, item, place.document].map((each) => listIn(each, 'servers').find(isNode)).find(Boolean)
  const template = (server && textIn(server, 'url')) ?? '/'
  const variables = nodeIn(server ?? {}, 'variables')
  const written = template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = nodeIn(variables, name).default
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
  if (/[{}]/.test(written))
    throw new OperationProblem(`has a server address with a variable that has no default ("${template.slice(0, 200)}")`)
  const address = resolveAgainst(place, written)
  if (address === null)
    throw new OperationProblem('has no server with a whole address; say with base_url where the API is')
  return address.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

export function resolveAgainst({ documentUrl, baseUrl }: Place, url: string): string | null {
  const base = documentUrl ?? baseUrl ?? undefined
  if (!URL.canParse(url, base)) return null
  const found = new URL(url, base)
  return found.protocol === 'http:' || found.protocol === 'https:' ? found.href : null
}
