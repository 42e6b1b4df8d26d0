import type { JSONValue } from '@jmespath-community/jmespath'
import { serve } from '@parley/threads'
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

  async readDocument(task: DocumentTask): Promise<ReadResult> {
    const { readDocument } = await import('../openapi/document.ts')
    return readDocument(task)
  },
}
export type SandboxMethods = typeof methods

void serve(methods)
