import { isObject } from '../../../kernel/is-object.ts'

type Node = Record<string, unknown>

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const asNode = (value: unknown): Node => (isObject(value) ? value : {})

/**
 * The largest number of subschemas that one and the same value is checked against. It grows with the power of the levels
 * where definitions refer to each other twice. Linear: each subschema is counted once.
 */
export function measureExpansion(schema: Node): number {
  const bases = basesIn(schema)
  const anchors = new Map([...bases.keys()].flatMap((node) => listAnchors(node).map((name) => [name, node])))
  const counts = new Map<Node, number>()
  const countSubschemas = (node: unknown): number => {
    if (!isObject(node)) return 0
    const known = counts.get(node)
    if (known !== undefined) return known
    counts.set(node, 0) // recursion that does not go on to a part of the value never ends, which trying it shows
    const references = [node.$ref, node.$dynamicRef].filter((reference) => typeof reference === 'string')
    const targets = references.map((reference) => anchors.get(reference.slice(1)) ?? at(bases.get(node), reference))
    const parts = [
      ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => asList(node[key])),
      ...['not', 'if', 'then', 'else'].map((key) => node[key]),
      ...Object.values(asNode(node.dependentSchemas)),
      ...targets,
    ]
    const count = parts.reduce<number>((sum, part) => sum + countSubschemas(part), 1)
    counts.set(node, count)
    return count
  }
  return Math.max(...[...bases.keys()].map(countSubschemas))
}

const listAnchors = ({ $anchor, $dynamicAnchor }: Node): string[] =>
  [$anchor, $dynamicAnchor].filter((name) => typeof name === 'string')

/** All objects in a schema, each with the one that its references start from: the nearest with an `$id`, or the whole. */
function basesIn(schema: Node): Map<Node, Node> {
  const bases = new Map<Node, Node>()
  const visit = (value: unknown, around: Node): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, around)
    if (!isObject(value)) return
    const base = typeof value.$id === 'string' ? value : around
    bases.set(value, base)
    for (const each of Object.values(value)) visit(each, base)
  }
  visit(schema, schema)
  return bases
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The part of a schema that a JSON pointer names. */
export function at(base: unknown, reference: string): unknown {
  let found = base
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? (found as Node)[key] : undefined
  }
  return found
}
