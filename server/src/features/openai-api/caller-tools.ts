import { type Static, Type } from 'typebox'
import type { RunToolChoice } from '../../kernel/agent/offer.ts'
import type { AgentTool } from '../../kernel/agent/tools.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ToolSpec } from '../../kernel/llm/model.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'

const Named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) })
const FunctionTool = Type.Object({
  type: Type.String({ description: 'Only `function` is supported.', examples: ['function'] }),
  function: Type.Object({
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['weather'] }),
    description: Type.Optional(Nullable(Type.String({ maxLength: 100_000 }))),
    parameters: Type.Optional(
      Nullable(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'JSON Schema of the arguments.',
        }),
      ),
    ),
    strict: Type.Optional(Nullable(Type.Boolean())),
  }),
})
/** Requires only `type`: for a tool of another type, the error must name the type and not a missing function. */
const Tool = Type.Unsafe<Static<typeof FunctionTool>>({ ...FunctionTool, required: ['type'] })
const NamedFunction = Type.Object({ type: Choice(['function']), function: Named })
const AllowedTools = Type.Object({
  type: Choice(['allowed_tools']),
  allowed_tools: Type.Object({
    mode: Choice(['auto', 'required']),
    tools: Type.Array(NamedFunction, { minItems: 1, maxItems: 500 }),
  }),
})

export const toolParameters = {
  tools: Type.Optional(
    Nullable(
      Type.Array(Tool, {
        maxItems: 128,
        description:
          "Functions that the client runs, beside the agent's own tools. Calls of them come back as `tool_calls`; send their results as messages of role `tool`.",
      }),
    ),
  ),
  tool_choice: Type.Optional(
    Nullable(
      Type.Union([Choice(['auto', 'none', 'required']), NamedFunction, AllowedTools], {
        description: "A function may be one of the client's or one of the agent's tools, by its name.",
      }),
    ),
  ),
}
const Body = Type.Object(toolParameters)
type Body = Static<typeof Body>

/** The tools of a chat: those that run here, those of the client, and which of them the model must call. */
export interface ChatTools {
  tools: AgentTool[]
  callerTools: ToolSpec[]
  toolChoice?: RunToolChoice
}

/** Rejects tools that are not functions, by their type. */
export function rejectOtherTools(tools: readonly { type: string }[]): void {
  for (const [index, { type }] of tools.entries()) {
    const advice = 'only functions are, and the agent has tools of its own'
    if (type !== 'function') invalid(`tools[${index}].type`, `${JSON.stringify(type)} is not supported; ${advice}`)
  }
}

export function chatTools(body: Body, own: AgentTool[]): ChatTools {
  rejectOtherTools(body.tools ?? [])
  for (const [index, tool] of (body.tools ?? []).entries())
    if (!tool.function) invalid(`tools[${index}].function`, 'is required')
  const callerTools = (body.tools ?? []).map(({ function: { name, description, parameters, strict } }) => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && { strict }),
  }))
  rejectClashes(callerTools, own)
  const all: ChatTools = { tools: own, callerTools }
  const choice = body.tool_choice ?? null
  if (choice === null) return all
  const names = [...own, ...callerTools].map(({ name }) => name)
  if (choice === 'auto' || choice === 'none') return { ...all, toolChoice: choice }
  if (names.length === 0) invalid('tool_choice', 'asks for a call, but there are no tools: send some in tools')
  if (choice === 'required') return { ...all, toolChoice: choice }
  if (choice.type === 'function') {
    requireTool(choice.function.name, names, 'tool_choice.function.name')
    return { ...all, toolChoice: choice.function }
  }
  const { mode, tools } = choice.allowed_tools
  for (const [index, { function: allowed }] of tools.entries())
    requireTool(allowed.name, names, `tool_choice.allowed_tools.tools[${index}].function.name`)
  const isAllowed = ({ name }: { name: string }) => tools.some((each) => each.function.name === name)
  return { tools: own.filter(isAllowed), callerTools: callerTools.filter(isAllowed), toolChoice: mode }
}

function rejectClashes(tools: ToolSpec[], own: AgentTool[]): void {
  for (const [index, { name }] of tools.entries()) {
    const at = `tools[${index}].function.name`
    if (own.some((tool) => tool.name === name)) invalid(at, `"${name}" is the name of one of the agent's own tools`)
    if (tools.findIndex((tool) => tool.name === name) !== index) invalid(at, `"${name}" is listed twice`)
  }
}

function requireTool(name: string, names: string[], at: string): void {
  if (!names.includes(name)) invalid(at, `there is no tool "${name}"; there are: ${names.join(', ')}`)
}
