import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../../kernel/schema.ts'

const AnySchema = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const ServerTools = Type.Object(
  {
    version: Nullable(Type.String({ description: 'Identifies what the server offers; null before it was asked.' })),
    offered_at: Nullable(Type.String({ format: 'date-time', description: 'When the server last changed its tools.' })),
    has_changes: Type.Boolean({ description: 'Whether the server offers something else than what is in effect.' }),
    tools: Type.Array(
      Type.Object({
        name: Type.String({ description: "The server's name for the tool." }),
        tool_name: Nullable(Type.String({ description: 'The name for the model, or null if it is not in effect.' })),
        description: Nullable(Type.String({ description: 'In effect.' })),
        parameters: Nullable({ ...AnySchema, description: 'In effect.' }),
        read_only: Type.Boolean({
          description: 'In effect: whether the server says that the tool changes nothing (`readOnlyHint`).',
        }),
        enabled: Type.Boolean({ description: 'Whether it is chosen in `tools`.' }),
        requires_approval: Type.Boolean(),
        change: Nullable(
          Choice(['added', 'changed', 'removed'], {
            description: 'How the server has changed it. `added` and `changed` take effect when they are accepted.',
          }),
        ),
        offered: Nullable(
          Type.Object(
            { description: Type.String(), parameters: AnySchema, read_only: Type.Boolean() },
            { description: 'The new description and schema of a tool that was added or changed.' },
          ),
        ),
      }),
    ),
  },
  { title: 'McpServerTools' },
)
export type ServerTools = Static<typeof ServerTools>

export const AcceptBody = Type.Object(
  { version: Type.String({ minLength: 1, maxLength: 100, description: 'The `version` that was reviewed.' }) },
  {
    additionalProperties: false,
    title: 'AcceptMcpServerTools',
    examples: [{ version: '5d41402abc4b2a76b9719d911017c592' }],
  },
)
