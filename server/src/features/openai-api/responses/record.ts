import type { Kysely } from 'kysely'
import type { HandedOver } from '../../../kernel/agent/loop.ts'
import type { Context } from '../../../kernel/context.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { prepared } from '../../../kernel/store/statement.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { findWaiting, insertWaiting } from '../../runs/waiting.ts'
import type { Response } from './schema.ts'

interface ResponseRow {
  message_id: string
  workspace_id: string
  request: string
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    response: ResponseRow
  }
}

/** The fields of a response that repeat its request. */
type Echo = Pick<
  Response,
  | 'model'
  | 'previous_response_id'
  | 'instructions'
  | 'tools'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | 'temperature'
  | 'top_p'
  | 'max_output_tokens'
  | 'reasoning'
  | 'text'
  | 'store'
  | 'background'
  | 'metadata'
  | 'user'
  | 'safety_identifier'
  | 'prompt_cache_key'
>

/** The request of a response. The reply itself is a message of a conversation. */
export interface ResponseRequest {
  echo: Echo
  input: Record<string, unknown>[]
  /** The texts of `system` and `developer` messages so far: they hold for the whole conversation. */
  standing: string[]
  /** How many messages before the question were stored from the input. */
  earlier?: number
  deleted?: true
}

/** A response that waits for the results of the client's tools. */
export interface Waiting extends HandedOver {
  /** The question that the messages belong to. */
  after: string
}

export interface ResponseRecord extends ResponseRequest {
  waiting: Waiting | null
}

export async function createResponseTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('response')
    .addColumn('message_id', 'text', (column) => column.primaryKey().references('message.id').onDelete('cascade'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('request', 'text', (column) => column.notNull())
    .execute()
}

/** A response has the id of its message, with another prefix. */
export const toResponseId = (messageId: string): string => messageId.replace(/^msg_/, 'resp_')
export const toMessageId = (responseId: string): string => responseId.replace(/^resp_/, 'msg_')

/** Makes the ids of input items unique with the message's id. Ids that the client chose stay. */
function readRequest(messageId: string, text: string): ResponseRequest {
  const request = JSON.parse(text) as ResponseRequest
  for (const item of request.input ?? [])
    item.id = String(item.id).replace(/^([a-z]+)(_input_\d+)$/, `$1${messageId.replace(/^msg/, '')}$2`)
  return request
}

type MessageKey = { id: string; workspace_id: string }

const upsertRequest = prepared((db, row: ResponseRow) =>
  db
    .insertInto('response')
    .values(row)
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ request: row.request })),
)

export const saveRequest = ({ db }: Context, { id, workspace_id }: MessageKey, request: ResponseRequest): Statement =>
  upsertRequest(db, { message_id: id, workspace_id, request: JSON.stringify(request) })

export const insertWaitingResponse = (ctx: Context, row: MessageRow, state: Waiting): Statement => {
  const { id, workspace_id, conversation_id, agent_id, user_id } = row
  const of = { id, workspace_id, conversation_id, agent_id: agent_id ?? '', user_id }
  return insertWaiting(ctx, { ...of, kind: 'caller_tools', expires_at: null, state })
}

/** Undefined for replies that did not come through this API. */
export async function findRecord(
  { db }: Context,
  { id, workspace_id }: MessageKey,
): Promise<ResponseRecord | undefined> {
  const found = await db
    .selectFrom('response')
    .select('request')
    .where('workspace_id', '=', workspace_id)
    .where('message_id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const waiting = await findWaiting<Waiting>(db, workspace_id, 'caller_tools', { ids: [id] })
  return { ...readRequest(id, found.request), waiting: waiting.get(id)?.state ?? null }
}

/** The requests of the replies among these messages that came through this API. */
export async function findRequests({ db }: Context, workspace: string, rows: readonly { id: string }[]) {
  if (rows.length === 0) return new Map<string, ResponseRequest>()
  const found = await db
    .selectFrom('response')
    .select(['message_id', 'request'])
    .where('workspace_id', '=', workspace)
    .where(
      'message_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return new Map(found.map(({ message_id, request }) => [message_id, readRequest(message_id, request)]))
}

/** The messages of a waiting response, with the results of the calls of its last step. */
export function withResults({ messages, results }: Waiting, outputs: ReadonlyMap<string, string>): ModelMessage[] {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : []
  const here = new Map(results.map((result) => [result.toolCallId, result]))
  return [
    ...messages,
    ...calls.map(
      ({ id, name }): ModelMessage =>
        here.get(id) ?? { role: 'tool', toolCallId: id, name, content: outputs.get(id) ?? '' },
    ),
  ]
}
