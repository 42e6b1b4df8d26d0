import { isObject } from '../../../kernel/is-object.ts'
export type Node = Record<string, unknown>

/** The reason why one operation cannot become a tool. */
export class OperationProblem extends Error {}

export const nodeIn = (node: Node, key: string): Node => {
  const value = Object.hasOwn(node, key) ? node[key] : undefined
  return isObject(value) ? value : {}
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
export function resolve(document: Node, reference: string, steps = 0): unknown {
  const shown = reference.slice(0, 200)
  if (!reference.startsWith('#')) {
    throw new OperationProblem(`refers to another document ("${shown}"), which is not fetched; send it in documents`)
  }
  let value: unknown = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = unescaped(part)
    if (isReference(value) && !Object.hasOwn(value, key)) value = follow(document, value, steps + 1)
    const there = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!there) throw new OperationProblem(`refers to "${shown}", which is not in the document`)
    value = (value as Node)[key]
  }
  return value
}

function unescaped(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

const isReference = (value: unknown): value is Node & { $ref: string } =>
  isObject(value) && typeof value.$ref === 'string'

/** The value, or the target if the value is a reference. */
export function follow(document: Node, value: unknown, steps = 0): Node {
  let node = value
  for (let count = steps; isReference(node); count++) {
    if (count > maxReferences)
      throw new OperationProblem(`refers to "${node.$ref.slice(0, 200)}", which refers to itself`)
    node = resolve(document, node.$ref, count)
  }
  return isObject(node) ? node : {}
}

/** A field, followed if it is a reference. */
export const followIn = (document: Node, node: Node, key: string): Node => follow(document, nodeIn(node, key))
