import type { JSONValue } from '@jmespath-community/jmespath'
import { serve } from '@parley/threads'
import { parseJson } from '../../../kernel/http/json-text.ts'
import type { DocumentTask, ReadResult } from '../openapi/document.ts'
import { SchemaValidator } from './json-schema.ts'

const validator = new SchemaValidator()
// The first check loads and compiles much that has nothing to do with its schema, so it must not count as work.
validator.faults('{"type":"object"}', '{}')

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textsOf = (documents: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(documents).map(([name, each]) => [
      name,
      typeof each === 'object' && each !== null ? JSON.stringify(each) : each,
    ]),
  )

/** Values travel as JSON text, which is faster than structured clone. Heavy modules are loaded on first use. */
const methods = {
  checkSchema: (schema: string): string | null => validator.problem(schema),

  validate: (schema: string, value: string) => validator.faults(schema, value),

  async select(text: string, path: string, maxLength: number): Promise<string> {
    const { search } = await import('@jmespath-community/jmespath')
    const selected = JSON.stringify(search(JSON.parse(text) as JSONValue, path) ?? null)
    if (selected.length > maxLength) throw new Error('what it selects is too large')
    return selected
  },

  /** The body of an import, with its document as text. */
  parseImport(raw: Uint8Array): unknown {
    const body = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
    if (typeof body !== 'object' || body === null) return body
    const { spec, documents } = body as { spec?: unknown; documents?: unknown }
    return {
      ...body,
      ...(isObject(spec) && { spec: JSON.stringify(spec) }),
      ...(isObject(documents) && { documents: textsOf(documents) }),
    }
  },

  async readDocument(task: DocumentTask): Promise<ReadResult> {
    const { readDocument } = await import('../openapi/document.ts')
    return readDocument(task)
  },
}
export type SandboxMethods = typeof methods

void serve(methods)
