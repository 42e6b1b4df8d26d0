import type { Http, RequestOptions } from './http.ts'
import { type Pages, pagesOf } from './pages.ts'
import { resource, segment } from './resource.ts'
import { type Followed, follow, type Message, type MessageEvent, start } from './stream.ts'
import type { Resource, Schemas } from './types.ts'

export type Events = AsyncGenerator<MessageEvent, void, undefined>

interface Decision {
  tool_call_id: string
  approved: boolean
}

interface Talk {
  /** Says something and gives the whole reply. */
  send(id: string, message: string, options?: RequestOptions): Promise<Message>
  /** Says something and gives the reply as it is written. A lost connection is made again from where it was lost. */
  stream(id: string, message: string, options?: Followed): Events
  /** Follows a reply that is being written, or sees one streamed again, from the event after `after`. */
  resume(id: string, message: string, options?: Followed & { after?: number }): Events
  messages(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Pages<Message>
  message(id: string, message: string, options?: RequestOptions): Promise<Message>
  /** Stops a reply; what has been written of it stays. */
  cancel(id: string, message: string, options?: RequestOptions): Promise<Message>
  regenerate(id: string, message: string, options?: RequestOptions): Promise<Message>
  regenerateStream(id: string, message: string, options?: Followed): Events
  feedback(id: string, message: string, given: Schemas['GiveFeedback'], options?: RequestOptions): Promise<Message>
  /** Lets a tool run that waits for approval, or refuses it; the reply goes on with that. */
  approve(id: string, message: string, decision: Decision, options?: RequestOptions): Promise<Message>
  /** The same, with what follows as it comes: nothing where the reply waits for further decisions. */
  approveStream(id: string, message: string, decision: Decision, options?: Followed): Events
  complete(id: string, options?: RequestOptions): Promise<Schemas['Conversation']>
}

export type Conversations = Resource<'/conversations'> & Talk

export function conversations(http: Http): Conversations {
  const path = '/conversations'
  const messagesOf = (id: string) => `${path}/${segment(id)}/messages`
  const at = (id: string, message: string, action = '') => `${messagesOf(id)}/${segment(message)}${action}`
  const post = (where: string, body: unknown, options?: RequestOptions) =>
    http.data<Message>('POST', where, { ...options, ...(body !== undefined && { body }) })

  const talk: Talk = {
    send: (id, message, options) => post(messagesOf(id), { message }, options),
    stream: (id, message, options) => start(http, id, messagesOf(id), { message }, options),
    resume: (id, message, { after = 0, ...options } = {}) => follow(http, id, message, after, options),
    messages: (id, query, options) => pagesOf(http, messagesOf(id), query, options),
    message: (id, message, options) => http.data('GET', at(id, message), options),
    cancel: (id, message, options) => post(at(id, message, '/cancel'), undefined, options),
    regenerate: (id, message, options) => post(at(id, message, '/regenerate'), {}, options),
    regenerateStream: (id, message, options) => start(http, id, at(id, message, '/regenerate'), {}, options),
    feedback: (id, message, given, options) => post(at(id, message, '/feedback'), given, options),
    approve: (id, message, decision, options) => post(at(id, message, '/approvals'), decision, options),
    approveStream: (id, message, decision, options) =>
      start(http, id, at(id, message, '/approvals'), decision, options, message),
    complete: (id, options) => http.data('POST', `${path}/${segment(id)}/complete`, options),
  }
  return { ...resource(http, path), ...talk }
}
