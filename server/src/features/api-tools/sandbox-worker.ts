import { serve } from '@parley/threads'
import type { CheckedOutput } from '../../kernel/agent/structured.ts'
import { parseJson } from '../../kernel/http/json-text.ts'
import { isObject } from '../../kernel/is-object.ts'
import type { MasksData } from '../../kernel/secrets/masks.ts'
import type { McpResult } from './mcp/result.ts'
import type { DocumentTask, ReadResult } from './openapi/document.ts'
import type { Answer, ReadTask } from './request/answer.ts'
import { type ArgumentPath, undeclaredIn } from './sandbox/declared.ts'
import { type Checked, SchemaValidator } from './sandbox/json-schema.ts'

const validator = new SchemaValidator()
// The first check loads and compiles much that has nothing to do with its schema, so it must not count as work.
validator.check('{"type":"object"}', '{}')

const asTexts = (documents: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(documents).map(([name, each]) => [
      name,
      typeof each === 'object' && each !== null ? JSON.stringify(each) : each,
    ]),
  )

/** Values travel as JSON text, which is faster than structured clone. Heavy modules are loaded on first use. */
const methods = {
  checkSchema: (schema: string): string | null => validator.problem(schema),

  validate: (schema: string, value: string): Checked => validator.check(schema, value),

  undeclared: (schema: string, value: string): ArgumentPath[] =>
    undeclaredIn(JSON.parse(schema) as Record<string, unknown>, JSON.parse(value)),

  checkOutputSchema: (schema: string): string | null => validator.outputProblem(schema),

  checkOutput: (schema: string, text: string): CheckedOutput => validator.checkOutput(schema, text),

  async readAnswer(task: ReadTask): Promise<Answer> {
    const { readAnswer } = await import('./request/answer.ts')
    return readAnswer(task)
  },

  async readResult(text: string, masks: MasksData): Promise<McpResult> {
    const { readResult } = await import('./mcp/result.ts')
    return readResult(text, masks)
  },

  /** The body of an import, with its document as text. */
  parseImport(raw: Uint8Array): unknown {
    const body = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
    if (typeof body !== 'object' || body === null) return body
    const { spec, documents } = body as { spec?: unknown; documents?: unknown }
    return {
      ...body,
      ...(isObject(spec) && { spec: JSON.stringify(spec) }),
      ...(isObject(documents) && { documents: asTexts(documents) }),
    }
  },

  async readDocument(task: DocumentTask): Promise<ReadResult> {
    const { readDocument } = await import('./openapi/document.ts')
    return readDocument(task)
  },
}
export type SandboxMethods = typeof methods

void serve(methods)
