import type { Message, Parley, ReplyEvent } from '../client.ts'
import type { Answer, Question } from './form.ts'
import type { ReplyView } from './view.ts'

export interface PendingCall {
  tool_call_id: string
  name: string
  target: string | null
  arguments: unknown
  approval_id: string | null
}

export interface Decision {
  approved: boolean
  comment?: string
}

type NeededConnection = Extract<ReplyEvent, { type: 'connection.required' }>

export interface Turn {
  client: Parley
  conversation: string
  view: ReplyView
  /** Decides about a tool call; null leaves it to somebody else. */
  decide(call: PendingCall): Promise<Decision | null>
  /** Answers the question of a tool; null leaves it to somebody else. */
  answer?(question: Question): Promise<Answer | null>
  /** Resolves with true when the account was connected. */
  connect?(needed: NeededConnection): Promise<boolean>
  /** Called with the id of the reply when it is known. */
  onStart?(message: string): void
  /** Calls of a replayed reply that somebody has decided about. */
  isDecided?(toolCall: string): boolean
}

export interface Reply {
  message: Message | null
  /** Calls that still wait for a person. */
  pending: { name: string }[]
}

/** Follows a reply to its end, with all approvals on the way. */
export async function followTurn(turn: Turn, events: AsyncIterable<ReplyEvent>): Promise<Reply> {
  let reply = ''
  let seen = 0
  const pending: (PendingCall | Question | NeededConnection)[] = []
  const left: { name: string }[] = []
  const follow = async (stream: AsyncIterable<ReplyEvent>): Promise<Message | null> => {
    for await (const event of stream) {
      if (event.type === 'message.started') {
        reply = event.message_id
        turn.onStart?.(reply)
      }
      seen = event.sequence
      if (isWaiting(event) && !turn.isDecided?.(event.tool_call_id)) pending.push(event)
      turn.view.show(event)
      if ('message' in event && typeof event.message === 'object') return event.message
    }
    return null
  }
  let message = await follow(events)
  turn.view.endLine()
  while (message === null) {
    const call = pending.shift()
    if (call === undefined) break
    const rest = await act(turn, reply, call, seen)
    if (rest === null) {
      left.push(call)
      continue
    }
    message = await follow(rest)
    turn.view.endLine()
  }
  return { message, pending: left }
}

type Waiting = Extract<ReplyEvent, { type: 'approval.required' | 'input.required' | 'connection.required' }>

const isWaiting = (event: ReplyEvent): event is Waiting =>
  event.type === 'approval.required' || event.type === 'input.required' || event.type === 'connection.required'

/** Does what a call waits for. Returns the rest of the reply, or null if it is left to somebody else. */
async function act(
  { client: { conversations }, conversation, decide, answer, connect }: Turn,
  reply: string,
  call: PendingCall | Question | NeededConnection,
  seen: number,
): Promise<AsyncIterable<ReplyEvent> | null> {
  const { tool_call_id } = call
  if ('authorize_url' in call)
    return (await connect?.(call)) ? conversations.resume(conversation, reply, { after: seen }) : null
  if ('message' in call) {
    const answered = await answer?.(call)
    return answered ? conversations.answerStream(conversation, reply, { tool_call_id, ...answered }) : null
  }
  const decision = await decide(call)
  return decision && conversations.approveStream(conversation, reply, { tool_call_id, ...decision })
}
