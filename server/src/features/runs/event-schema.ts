import { type TObject, type TProperties, Type } from 'typebox'
import { Nullable } from '../../kernel/schema.ts'
import { FormSchema, Handoff, Message, ToolCall } from './schema.ts'

const event = <const T extends string, P extends TProperties>(type: T, properties: P) =>
  Type.Object({ type: Type.Literal(type), sequence: Type.Integer({ minimum: 1 }), ...properties })

const toolCall = {
  tool_call_id: Type.String(),
  tool_id: Nullable(Type.String()),
  name: Type.String(),
  arguments: Type.Unsafe<unknown>({ description: 'The arguments as the model sent them.' }),
}

/** The one definition of the events of a stream. The OpenAPI document and the client's types are generated from it. */
export const eventSchema = <Shape extends TObject>(message: Shape, options: { title: string; description: string }) =>
  Type.Union(
    [
      event('message.started', {
        conversation_id: Type.String(),
        message_id: Type.String(),
        agent_id: Nullable(Type.String()),
        model_id: Nullable(Type.String()),
      }),
      event('text.delta', { delta: Type.String() }),
      event('reasoning.delta', { delta: Type.String({ description: 'More of what the model thinks.' }) }),
      event('tool.started', {
        ...toolCall,
        edited_arguments: ToolCall.properties.edited_arguments,
        conversation_id: Nullable(
          Type.String({ description: 'The conversation in which another agent answers the call.' }),
        ),
      }),
      event('tool.progress', {
        tool_call_id: Type.String(),
        progress: Type.Number({ description: 'Grows with every event of the call.' }),
        total: Nullable(Type.Number({ description: 'The progress at the end, if the tool knows it.' })),
        text: Nullable(Type.String({ description: 'The words of the tool about it.' })),
      }),
      event('approval.required', {
        ...toolCall,
        approval_id: Nullable(Type.String({ description: 'The approval, as `GET /approvals/{id}` shows it.' })),
        target: Nullable(Type.String({ description: 'The method and the address, or the address of the MCP server.' })),
      }),
      event('connection.required', {
        tool_call_id: Type.String(),
        tool_id: Nullable(Type.String({ description: 'The tool that needs the account, for `POST /connections`.' })),
        name: Type.String({ description: 'The name of the tool.' }),
        authorize_url: Nullable(
          Type.String({
            description: 'Where the person connects the account. Null if they may not, or once it was used.',
          }),
        ),
      }),
      event('input.required', {
        tool_call_id: Type.String(),
        tool_id: Nullable(Type.String()),
        name: Type.String(),
        message: Type.String({ description: 'The question of the tool.' }),
        schema: FormSchema,
        url: Type.Optional(Type.String({ description: 'The page to open, instead of a form.' })),
      }),
      event('tool.finished', {
        tool_call_id: Type.String(),
        status: ToolCall.properties.status,
        result: Nullable(Type.String()),
        latency_ms: Nullable(Type.Integer()),
      }),
      event('handoff', Handoff.properties),
      event('memory.written', {
        id: Type.String(),
        content: Type.String({ description: 'The fact. Empty if it was deleted since.' }),
      }),
      event('message.completed', { message, output: Message.properties.output }),
      event('message.failed', { message, error: Type.String(), code: Type.String() }),
      event('message.cancelled', { message }),
    ],
    options,
  )

export const ReplyEvent = eventSchema(Message, {
  title: 'ReplyEvent',
  description:
    'The `data` of one Server-Sent Event. `sequence` counts from 1 and is the same each time a reply is streamed.',
})
