import { parentPort } from 'node:worker_threads'
import type { JSONValue } from '@jmespath-community/jmespath'
import { reason } from '../../../kernel/errors.ts'
import type { DocumentTask, ReadResult } from '../openapi/document.ts'
import { type Fault, SchemaValidator } from './json-schema.ts'

/** Everything travels as JSON text, which is quicker than cloning and cannot carry anything but data. */
export interface Tasks {
  /** What is wrong with a schema, or null. */
  checkSchema: { schema: string }
  /** What is wrong with a value. */
  validate: { schema: string; value: string }
  /** The part of a JSON text that an expression selects, as JSON text. */
  select: { text: string; path: string; mostCharacters: number }
  readDocument: DocumentTask
}

export interface Results {
  checkSchema: string | null
  validate: Fault[]
  select: string
  readDocument: ReadResult
}

export type Kind = keyof Tasks
export type Answer<K extends Kind = Kind> = { result: Results[K] } | { failure: string }
type Request = { [K in Kind]: { kind: K; task: Tasks[K] } }[Kind]

const validator = new SchemaValidator()

parentPort?.on('message', async (request: Request) => {
  parentPort?.postMessage(await answer(request))
})
validator.faults('{"type":"object"}', '{}') // the first check loads and compiles much that has nothing to do with its schema
parentPort?.postMessage('ready') // only from now on does the time of a task count

async function answer(request: Request): Promise<Answer> {
  try {
    return { result: await perform(request) }
  } catch (error) {
    return { failure: reason(error) }
  }
}

/** Each kind of task loads its own tools, so that a thread starts quickly and holds only what it uses. */
async function perform({ kind, task }: Request): Promise<Results[Kind]> {
  if (kind === 'readDocument') {
    const { readDocument } = await import('../openapi/document.ts')
    return readDocument(task)
  }
  if (kind === 'select') {
    const { search } = await import('@jmespath-community/jmespath')
    const selected = JSON.stringify(search(JSON.parse(task.text) as JSONValue, task.path) ?? null)
    if (selected.length > task.mostCharacters) throw new Error('what it selects is too large')
    return selected
  }
  return kind === 'checkSchema' ? validator.problem(task.schema) : validator.faults(task.schema, task.value)
}
