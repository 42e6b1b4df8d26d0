import type { Message, Parley, ReplyEvent } from '../client.ts'
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

export interface Turn {
  client: Parley
  conversation: string
  view: ReplyView
  /** Decides about a tool call; null leaves it to somebody else. */
  decide(call: PendingCall): Promise<Decision | null>
  /** Called with the id of the reply when it is known. */
  onStart?(message: string): void
  /** Calls of a replayed reply that somebody has decided about. */
  isDecided?(toolCall: string): boolean
}

export interface Reply {
  message: Message | null
  /** Calls that still wait for a decision. */
  pending: PendingCall[]
}

/** Follows a reply to its end, with all approvals on the way. */
export async function followTurn(turn: Turn, events: AsyncIterable<ReplyEvent>): Promise<Reply> {
  let reply = ''
  const pending: PendingCall[] = []
  const left: PendingCall[] = []
  const follow = async (stream: AsyncIterable<ReplyEvent>): Promise<Message | null> => {
    for await (const event of stream) {
      if (event.type === 'message.started') {
        reply = event.message_id
        turn.onStart?.(reply)
      }
      if (event.type === 'approval.required' && !turn.isDecided?.(event.tool_call_id)) pending.push(event)
      turn.view.show(event)
      if ('message' in event) return event.message
    }
    return null
  }
  let message = await follow(events)
  turn.view.endLine()
  while (message === null) {
    const call = pending.shift()
    if (call === undefined) break
    const decision = await turn.decide(call)
    if (decision === null) {
      left.push(call)
      continue
    }
    const { conversations } = turn.client
    message = await follow(
      conversations.approveStream(turn.conversation, reply, { tool_call_id: call.tool_call_id, ...decision }),
    )
    turn.view.endLine()
  }
  return { message, pending: left }
}
