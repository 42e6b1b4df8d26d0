import { type Static, Type } from 'typebox'

/** One JSON-RPC message of a client: a request, or a notification where it has no id. */
export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Unsafe<'2.0'>({ type: 'string', enum: ['2.0'] }),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
    method: Type.String({ minLength: 1, maxLength: 200, examples: ['tools/list'] }),
    params: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  },
  {
    additionalProperties: false,
    title: 'McpMessage',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  },
)

export type McpMessage = Static<typeof McpMessage>

export const McpAnswer = Type.Object(
  {
    jsonrpc: Type.String(),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
    result: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    error: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  },
  { title: 'McpAnswer' },
)
