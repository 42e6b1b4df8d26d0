import type { JSONValue } from '@jmespath-community/jmespath'
import { serve } from '@parley/threads'
import { parseJson } from '../../../kernel/http/json-text.ts'
import type { DocumentTask, ReadResult } from '../openapi/document.ts'
import { SchemaValidator } from './json-schema.ts'

const validator = new SchemaValidator()
// The first check loads and compiles much that has nothing to do with its schema, so it must not count as work.
validator.faults('{"type":"object"}', '{}')

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
    const { spec } = (body ?? {}) as { spec?: unknown }
    return typeof spec === 'object' && spec !== null && !Array.isArray(spec)
      ? { ...(body as object), spec: JSON.stringify(spec) }
      : body
  },

  async readDocument(task: DocumentTask): Promise<ReadResult> {
    const { readDocument } = await import('../openapi/document.ts')
    return readDocument(task)
  },
}
export type SandboxMethods = typeof methods

void serve(methods)
