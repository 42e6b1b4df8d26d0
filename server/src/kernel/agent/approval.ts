import type { ModelMessage, ToolCall } from '../llm/model.ts'
import type { AgentTool } from './tools.ts'

export interface StartedCall {
  id: string
  toolId: string | null
  name: string
  /** As JSON where the model wrote JSON, else its own text. */
  input: unknown
}

export type ToolResult = Extract<ModelMessage, { role: 'tool' }>

/** A run that waits for people. It is plain data, so that it can be stored and taken up again by another process. */
export interface Pause {
  /** Which of the allowed steps asked for the calls. */
  step: number
  /** All that the model was told and said, its request for the calls last. */
  messages: ModelMessage[]
  /** What came of the calls of the step that needed no approval. */
  results: ToolResult[]
  /** The calls to be decided about. */
  pending: StartedCall[]
}

/** Whether a call is approved, by its id. */
export type Decisions = ReadonlyMap<string, boolean>

export const refusedByPerson =
  'The user refused this call, so it was not made. Do not ask for it again unless the user wants it; go on without it.'
export const refusedByPlace =
  'This tool needs the approval of a person, and nobody can give it here, so it was not called. Go on without it.'

/** The calls that cannot be made before somebody agrees. One that could not be made anyway need not be decided about. */
export const openCalls = (calls: ToolCall[], tools: AgentTool[]): StartedCall[] =>
  calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.name)
    const input = parsed(call.arguments)
    return tool?.requiresApproval && input !== undefined
      ? [{ id: call.id, toolId: tool.id, name: call.name, input }]
      : []
  })

/**
 * Some providers count calls anew in every step. A decision names a call by its id, so that one made for an earlier call
 * must never fit a later one.
 */
export function withUniqueIds(calls: ToolCall[], before: ModelMessage[]): ToolCall[] {
  const used = new Set(
    before.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : [])).map(({ id }) => id),
  )
  return calls.map((call) => {
    let id = call.id
    for (let count = 2; id === '' || used.has(id); count++) id = `${call.id || 'call'}_${count}`
    used.add(id)
    return id === call.id ? call : { ...call, id }
  })
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
