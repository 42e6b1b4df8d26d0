import { reason } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { parsed } from './parse.ts'
import type { Node } from './references.ts'

/** The key under which the bundled document holds the other documents. */
const documentsKey = 'x-documents'
/** The base of paths in an upload. Only used to resolve them. */
const uploadBase = 'upload:///'

export interface Upload {
  /** JSON or YAML. If null, the OpenAPI document among `documents` is used. */
  text: string | null
  documentUrl: string | null
  /** The text of other documents, by their path relative to the first or by URL. */
  documents: Record<string, string>
}

/** One document with everything that was uploaded: references to other documents become references within it. */
export function bundled({ text, documentUrl, documents }: Upload): Node {
  const base = documentUrl ?? uploadBase
  const others = new Map(
    Object.entries(documents).map(([name, each]) => [absoluteAddress(name, base), parseContent(name, each)]),
  )
  const rootAddress = text === null ? rootAmong(others) : base
  const root = text === null ? others.get(rootAddress) : parsed(text)
  if (!isObject(root)) throw new Error('is not an OpenAPI document')
  others.delete(rootAddress)
  const pointers = new Map([...others.keys()].map((address) => [address, `#/${documentsKey}/${escaped(address)}`]))
  pointers.set(rootAddress, '#')
  rewriteReferences(root, rootAddress, pointers)
  for (const [address, content] of others) rewriteReferences(content, address, pointers)
  return others.size === 0 ? root : { ...root, [documentsKey]: Object.fromEntries(others) }
}

function absoluteAddress(name: string, base: string): string {
  if (!URL.canParse(name, base)) throw new Error(`has a document "${name.slice(0, 200)}", which is not a path or URL`)
  return withoutFragment(new URL(name, base).href)
}

const withoutFragment = (url: string): string => url.replace(/#.*$/, '')

function parseContent(name: string, text: string): unknown {
  try {
    return parsed(text)
  } catch (error) {
    throw new Error(`has a document "${name.slice(0, 200)}" that ${reason(error)}`)
  }
}

function rootAmong(documents: Map<string, unknown>): string {
  const roots = [...documents].filter(
    ([, content]) => isObject(content) && ('openapi' in content || 'swagger' in content),
  )
  const names = roots.map(([address]) => address.replace(uploadBase, ''))
  if (names.length > 1)
    throw new Error(`has several OpenAPI documents (${names.join(', ').slice(0, 300)}); import each`)
  const [root] = roots
  if (!root) throw new Error('has no OpenAPI document')
  return root[0]
}

/** References to documents that were not uploaded stay as they are. Reading them says what is missing. */
function rewriteReferences(content: unknown, address: string, pointers: Map<string, string>): void {
  const waiting: unknown[] = [content]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    for (const value of Object.values(node)) if (typeof value === 'object') waiting.push(value)
    if (!isObject(node) || typeof node.$ref !== 'string' || !URL.canParse(node.$ref, address)) continue
    const target = new URL(node.$ref, address).href
    const pointer = pointers.get(withoutFragment(target))
    if (pointer !== undefined) node.$ref = `${pointer}${/#(.*)$/s.exec(node.$ref)?.[1] ?? ''}`
  }
}

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
