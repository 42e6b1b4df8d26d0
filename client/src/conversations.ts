import type { Http, HttpRequest, RequestOptions } from './http.ts'
import { jsonLines } from './json-lines.ts'
import { type Pages, pagesOf } from './pages.ts'
import { resource, segment } from './resource.ts'
import { type Followed, follow, type Message, type ReplyEvent, start } from './stream.ts'
import type { QueryOf, Resource, Schemas } from './types.ts'

export type Events = AsyncGenerator<ReplyEvent, void, undefined>

export type ConversationWithMessages = Schemas['ConversationWithMessages']

interface Decision {
  tool_call_id: string
  approved: boolean
  comment?: string | null
}

interface MessageOptions {
  /** The reply that the message follows, null for a first message. Default: the last reply. */
  parentMessageId?: string | null
  /** Files that were uploaded with `files.upload`, at most 10. */
  attachments?: { file_id: string }[]
  /** The format of the reply. Overrides that of the agent. */
  responseFormat?: ResponseFormat
  /** The JSON Schema of the reply: short for a `responseFormat` of type `json_schema`. */
  schema?: Record<string, unknown>
}

export type ResponseFormat = NonNullable<Schemas['SendMessage']['response_format']>

/** A reply with the parsed value of its JSON. */
export type ReplyWith<T> = Omit<Message, 'output'> & { output: T }

interface ConversationMethods {
  /** Sends a message and returns the complete reply. With a schema, `output` is its value. */
  send<T = unknown>(id: string, message: string, options?: RequestOptions & MessageOptions): Promise<ReplyWith<T>>
  /** Sends a message and streams the reply. A lost connection is resumed where it broke off. */
  stream(id: string, message: string, options?: Followed & MessageOptions): Events
  /** Follows a running reply, or replays a finished one, starting after event number `after`. */
  resume(id: string, message: string, options?: Followed & { after?: number }): Events
  /** The messages of the active branch, oldest first; with `before`, the ones just before that message. */
  messages(
    id: string,
    query?: { page?: number; limit?: number; before?: string },
    options?: RequestOptions,
  ): Pages<Message>
  message(id: string, message: string, options?: RequestOptions): Promise<Message>
  /** The steps of a reply: model calls, tool calls, searches and waits, with their times, tokens and cost. */
  trace(id: string, message: string, options?: RequestOptions): Promise<Schemas['Trace']>
  /** Stops a reply. The text written so far is kept. */
  cancel(id: string, message: string, options?: RequestOptions): Promise<Message>
  /** Gets another reply in place of the last one, which stays as an earlier version. */
  regenerate(id: string, message: string, options?: RequestOptions): Promise<Message>
  regenerateStream(id: string, message: string, options?: Followed): Events
  /** Switches to another version of a message, with the messages after it. */
  activate(id: string, message: string, options?: RequestOptions): Promise<ConversationWithMessages>
  feedback(id: string, message: string, body: Schemas['GiveFeedback'], options?: RequestOptions): Promise<Message>
  /** Approves or denies a tool call. The reply continues once every call is decided. */
  approve(id: string, message: string, decision: Decision, options?: RequestOptions): Promise<Message>
  /** Same as `approve`, but streams the rest of the reply. Yields nothing while other calls wait for a decision. */
  approveStream(id: string, message: string, decision: Decision, options?: Followed): Events
  /** How many messages, tokens and dollars it has. */
  totals(id: string, options?: RequestOptions): Promise<Schemas['ConversationTotals']>
  complete(id: string, options?: RequestOptions): Promise<Schemas['Conversation']>
  /** All conversations with all their messages, oldest first, as they arrive. */
  export(query?: QueryOf<'/conversations/export'>, options?: RequestOptions): AsyncGenerator<ConversationWithMessages>
}

export type Conversations = Resource<'/conversations'> & ConversationMethods

export function conversations(http: Http): Conversations {
  const path = '/conversations'
  const messagesPath = (id: string) => `${path}/${segment(id)}/messages`
  const messagePath = (id: string, message: string, action = '') => `${messagesPath(id)}/${segment(message)}${action}`
  const post = (url: string, body: unknown, options?: RequestOptions) =>
    http.data<Message>('POST', url, { ...options, ...(body !== undefined && { body }) })

  const methods: ConversationMethods = {
    send: <T>(id: string, message: string, options: RequestOptions & MessageOptions = {}) =>
      post(messagesPath(id), messageBody(message, options), requestOptions(options)) as Promise<ReplyWith<T>>,
    stream: (id, message, options = {}) =>
      start(http, id, messagesPath(id), messageBody(message, options), requestOptions(options)),
    resume: (id, message, { after = 0, ...options } = {}) => follow(http, id, message, after, options),
    messages: (id, query, options) => pagesOf(http, messagesPath(id), query, options),
    message: (id, message, options) => http.data('GET', messagePath(id, message), options),
    trace: (id, message, options) => http.data('GET', messagePath(id, message, '/trace'), options),
    cancel: (id, message, options) => post(messagePath(id, message, '/cancel'), undefined, options),
    regenerate: (id, message, options) => post(messagePath(id, message, '/regenerate'), {}, options),
    regenerateStream: (id, message, options) => start(http, id, messagePath(id, message, '/regenerate'), {}, options),
    activate: (id, message, options) => http.data('POST', messagePath(id, message, '/activate'), options),
    feedback: (id, message, body, options) => post(messagePath(id, message, '/feedback'), body, options),
    approve: (id, message, decision, options) => post(messagePath(id, message, '/approvals'), decision, options),
    approveStream: (id, message, decision, options) =>
      start(http, id, messagePath(id, message, '/approvals'), decision, options, message),
    totals: (id, options) => http.data('GET', `${path}/${segment(id)}/totals`, options),
    complete: (id, options) => http.data('POST', `${path}/${segment(id)}/complete`, options),
    export: (query, options) => exported(http, `${path}/export`, { ...options, query }),
  }
  return { ...resource(http, path), ...methods }
}

const messageBody = (
  message: string,
  { parentMessageId: parent, attachments, responseFormat, schema }: MessageOptions,
) => ({
  message,
  ...(parent !== undefined && { parent_message_id: parent }),
  ...(attachments && { attachments: attachments.map(({ file_id }) => ({ file_id })) }),
  ...(responseFormat && { response_format: responseFormat }),
  ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }),
})

const requestOptions = <O extends MessageOptions>({
  parentMessageId,
  attachments,
  responseFormat,
  schema,
  ...options
}: O) => options

async function* exported(
  http: Http,
  path: string,
  request: HttpRequest,
): AsyncGenerator<ConversationWithMessages, void, undefined> {
  const { body } = await http.send('GET', path, request)
  if (body !== null) yield* jsonLines<ConversationWithMessages>(body, request.signal)
}
