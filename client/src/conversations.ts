import type { Http, HttpRequest, RequestOptions } from './http.ts'
import { jsonLines } from './json-lines.ts'
import * as generated from './methods.ts'
import { segment } from './segment.ts'
import { type Followed, follow, type Message, type ReplyEvent, start } from './stream.ts'
import type { RequestQuery, Schemas } from './types.ts'

export type Events = AsyncGenerator<ReplyEvent, void, undefined>

export type ConversationWithMessages = Schemas['ConversationWithMessages']

interface Answer {
  /** The call that asks. */
  tool_call_id: string
  /** `accept` sends the form, or says that the page was opened; the others tell the tool so. */
  action: 'accept' | 'decline' | 'cancel'
  /** With `accept` of a form: its fields. */
  content?: Record<string, unknown>
}

interface Decision {
  /** The call that waits. */
  tool_call_id: string
  /** Whether it may run. */
  approved: boolean
  /** Kept with the decision. The model is told it with a refusal. */
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

interface ResumeOptions extends Followed {
  /** The number of the last event that is known. Default: 0, all events. */
  after?: number
}

interface ConversationMethods {
  /** Sends a message and returns the complete reply. With a schema, `output` is its value. */
  send<T = unknown>(id: string, message: string, options?: RequestOptions & MessageOptions): Promise<ReplyWith<T>>
  /** Sends a message and streams the reply. A lost connection is resumed where it broke off. */
  stream(id: string, message: string, options?: Followed & MessageOptions): Events
  /** Follows a running reply, or replays a finished one, starting after event number `after`. */
  resume(id: string, message: string, options?: ResumeOptions): Events
  /** Gets another reply in place of the last one, which stays as an earlier version. */
  regenerate(id: string, message: string, options?: RequestOptions): Promise<Message>
  /** Same as `regenerate`, but streams the reply. */
  regenerateStream(id: string, message: string, options?: Followed): Events
  /** Approves or denies a tool call. The reply continues once every call is decided. */
  approve(id: string, message: string, decision: Decision, options?: RequestOptions): Promise<Message>
  /** Same as `approve`, but streams the rest of the reply. Yields nothing while other calls wait for a decision. */
  approveStream(id: string, message: string, decision: Decision, options?: Followed): Events
  /** Answers the question of a tool: a form, or a page to open. The reply continues once nothing else is needed. */
  answer(id: string, message: string, answer: Answer, options?: RequestOptions): Promise<Message>
  /** Same as `answer`, but streams the rest of the reply. */
  answerStream(id: string, message: string, answer: Answer, options?: Followed): Events
  /** All conversations with all their messages, oldest first, as they arrive. */
  export(
    query?: RequestQuery<'/conversations/export'>,
    options?: RequestOptions,
  ): AsyncGenerator<ConversationWithMessages>
}

export type Conversations = ReturnType<typeof generated.conversations> & ConversationMethods

export function conversations(http: Http): Conversations {
  const path = '/conversations'
  const messagesPath = (id: string) => `${path}/${segment(id)}/messages`
  const messagePath = (id: string, message: string, action = '') => `${messagesPath(id)}/${segment(message)}${action}`
  const post = (url: string, body: unknown, options?: RequestOptions) =>
    http.data<Message>('POST', url, { ...options, body })

  const methods: ConversationMethods = {
    send: <T>(id: string, message: string, options: RequestOptions & MessageOptions = {}) =>
      post(messagesPath(id), messageBody(message, options), requestOptions(options)) as Promise<ReplyWith<T>>,
    stream: (id, message, options = {}) =>
      start(http, id, messagesPath(id), messageBody(message, options), requestOptions(options)),
    resume: (id, message, { after = 0, ...options } = {}) => follow(http, id, message, after, options),
    regenerate: (id, message, options) => post(messagePath(id, message, '/regenerate'), {}, options),
    regenerateStream: (id, message, options) => start(http, id, messagePath(id, message, '/regenerate'), {}, options),
    approve: (id, message, decision, options) => post(messagePath(id, message, '/approvals'), decision, options),
    approveStream: (id, message, decision, options) =>
      start(http, id, messagePath(id, message, '/approvals'), decision, options, message),
    answer: (id, message, answer, options) => post(messagePath(id, message, '/input'), answer, options),
    answerStream: (id, message, answer, options) =>
      start(http, id, messagePath(id, message, '/input'), answer, options, message),
    export: (query, options) => exported(http, `${path}/export`, { ...options, query }),
  }
  return { ...generated.conversations(http), ...methods }
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
