import type { Caller } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ModelMessage, ToolSpec } from '../../kernel/llm/model.ts'
import { questionMessage } from '../runs/history.ts'
import type { Attachment } from '../runs/schema.ts'
import { isFilePart } from './chat-files.ts'
import { clientCallId, type HandedOverChat, runIdIn } from './handed-over.ts'
import type { ChatBody } from './schema.ts'

type ChatMessage = ChatBody['messages'][number]
type Part = Exclude<NonNullable<ChatMessage['content']>, string>[number]
type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

/** The tools and waiting runs that the calls of a history can refer to. */
interface Known {
  callerTools: ToolSpec[]
  /** By the index of their message. */
  attachments: ReadonlyMap<number, Attachment[]>
  waiting: ReadonlyMap<string, HandedOverChat>
}

/** The waiting runs that the calls of a history name. */
export const runIdsIn = (messages: ChatMessage[]): string[] => [
  ...new Set(messages.flatMap((message) => calledTools(message).flatMap(({ id }) => runIdIn(id) ?? []))),
]

/**
 * The messages as the model sees them. Every message of the role `user` becomes user content: it must neither add
 * instructions to the agent's nor put words into its mouth. Others send the history as they want the model to see it.
 * Messages from before calls were handed over are restored from the waiting run, for every role.
 */
export function historyFrom({ role }: Pick<Caller, 'role'>, messages: ChatMessage[], known: Known): ModelMessage[] {
  const results = new Results(messages)
  const names = new Map<string, string>()
  return messages.flatMap((message, index): ModelMessage[] => {
    const calls = calledTools(message)
    const [id] = calls.flatMap((call) => runIdIn(call.id) ?? [])
    const chat = id === undefined ? undefined : known.waiting.get(id)
    if (id !== undefined && chat) return restored(id, chat, results.after(index))
    if (role !== 'user' && calls.length > 0 && calls.every(({ name }) => isDeclared(name, known))) {
      const content = messageText(message, index)
      const toolCalls = calls.map((call) => ({ id: call.id, name: call.name, arguments: call.input }))
      return [{ role: 'assistant', content, toolCalls }, ...toolCalls.map(results.after(index))]
    }
    if (results.isUsed(message)) return []
    const attachments = known.attachments.get(index)
    if (attachments) return [questionMessage(messageText(message, index), attachments)]
    const plain = asText(message, index, names)
    return [role === 'user' ? asUserContent(plain) : plain]
  })
}

const isDeclared = (name: string, { callerTools }: Known): boolean => callerTools.some((tool) => tool.name === name)

/** The steps of the agent up to its calls of the client's tools, and the results of all calls of the last step. */
function restored(id: string, { run }: HandedOverChat, findResult: ReturnType<Results['after']>): ModelMessage[] {
  const last = run.messages.at(-1)
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : []
  const here = new Map(run.results.map((result) => [result.toolCallId, result]))
  const handedOver = run.calls.map((call) => call.id)
  const results = calls.map((call) => {
    const own = here.get(call.id)
    if (own) return own
    const { content } = findResult({ ...call, id: clientCallId(id, handedOver.indexOf(call.id)) })
    return { role: 'tool' as const, toolCallId: call.id, name: call.name, content }
  })
  return [...run.messages, ...results]
}

/** The results that a client sends. Each follows the call it belongs to, wherever it is in the history. */
class Results {
  readonly #texts = new Map<string, string>()
  readonly #used = new Set<string>()

  constructor(messages: ChatMessage[]) {
    for (const [index, message] of messages.entries())
      if (message.role === 'tool' && message.tool_call_id)
        this.#texts.set(message.tool_call_id, messageText(message, index))
  }

  /** Returns the results of calls in one message. */
  after =
    (index: number) =>
    ({ id, name }: { id: string; name: string }): Extract<ModelMessage, { role: 'tool' }> => {
      const content = this.#texts.get(id)
      if (content === undefined)
        invalid(
          `messages[${index}].tool_calls`,
          `the call "${id}" has no result: add a message of role tool with this tool_call_id`,
        )
      this.#used.add(id)
      return { role: 'tool', toolCallId: id, name, content }
    }

  isUsed = ({ role, tool_call_id: id = '' }: ChatMessage): boolean => role === 'tool' && this.#used.has(id)
}

const asUserContent = ({ role, content }: ModelMessage): ModelMessage => ({
  role: 'user',
  content: role === 'assistant' ? `[Earlier reply, as quoted by the user]\n${content}` : content,
})

/** Providers reject calls of undeclared tools: calls and results become text. */
function asText(message: ChatMessage, index: number, names: Map<string, string>): ModelMessage {
  const text = messageText(message, index)
  const { role } = message
  if (role === 'tool' || role === 'function') {
    const name = names.get(message.tool_call_id ?? '') ?? message.name ?? message.tool_call_id ?? 'a tool'
    return { role: 'user', content: `[Result of ${name}]\n${text}` }
  }
  if (role !== 'assistant') return { role: role === 'developer' ? 'system' : role, content: text }
  const calls = calledTools(message)
  for (const { id, name } of calls) names.set(id, name)
  const called = calls.map(({ name, input }) => `[Called ${name} with ${input}]`)
  return { role, content: [...(text === '' ? [] : [text]), ...called].join('\n') }
}
function calledTools({ tool_calls, function_call }: ChatMessage): { id: string; name: string; input: string }[] {
  const legacy: ToolCall[] = function_call ? [{ id: '', function: function_call }] : []
  return [...(tool_calls ?? []), ...legacy].map(({ id = '', function: called, custom }) => ({
    id,
    name: called?.name ?? custom?.name ?? 'a tool',
    input: called?.arguments ?? custom?.input ?? '',
  }))
}

function messageText({ role, content, refusal }: ChatMessage, index: number): string {
  if (typeof content === 'string') return content
  const parts = content ?? []
  if (parts.length === 0) return refusal ?? ''
  return parts.map((part, at) => partText(part, role, `messages[${index}].content[${at}]`)).join('')
}

function partText(part: Part, role: ChatMessage['role'], at: string): string {
  if (part.type === 'refusal') return part.refusal ?? ''
  if (part.type === 'text') return part.text ?? ''
  if (role === 'user' && isFilePart(part)) return ''
  const known = role === 'user' ? 'text, image_url and file are supported' : 'only text is supported'
  return invalid(at, `has the type ${JSON.stringify(part.type)}; ${known}`)
}
