export type Node = Record<string, unknown>

/** The reason why one operation cannot become a tool. */
export class OperationProblem extends Error {}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const nodeIn = (node: Node, key: string): Node => {
  const value = Object.hasOwn(node, key) ? node[key] : undefined
  return isNode(value) ? value : {}
}
export const listIn = (node: Node, key: string): unknown[] => {
  const value = Object.hasOwn(node, key) ? node[key] : undefined
  return Array.isArray(value) ? value : []
}
export const textIn = (node: Node, key: string): string | undefined => {
  const value = Object.hasOwn(node, key) ? node[key] : undefined
  return typeof value === 'string' ? value : undefined
}

const maxReferences = 50

/** Resolves a reference within the document. Other documents are never fetched. */
export function resolve(document: Node, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new OperationProblem(
      `refers to another document ("${reference.slice(0, 200)}"), which is not fetched; bundle the documents into one`,
    )
  }
  let found: unknown = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = unescaped(part)
    const there = typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    if (!there) throw new OperationProblem(`refers to "${reference.slice(0, 200)}", which is not in the document`)
    found = (found as Node)[key]
  }
  return found
}

function unescaped(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The value, or the target if the value is a reference. */
export function follow(document: Node, value: unknown): Node {
  let found = value
  for (let steps = 0; isNode(found) && typeof found.$ref === 'string'; steps++) {
    if (steps > maxReferences)
      throw new OperationProblem(`refers to "${found.$ref.slice(0, 200)}", which refers to itself`)
    found = resolve(document, found.$ref)
  }
  return isNode(found) ? found : {}
}
