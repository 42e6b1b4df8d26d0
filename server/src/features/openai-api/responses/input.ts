import { parseJson } from '../../../kernel/agent/approval.ts'
import type { Role } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { type FilePart, fileParts } from './files.ts'
import type { InputItem } from './references.ts'

type RawItem = Record<string, unknown>

/** One message of the input, in the order in which they were sent. */
export interface Said {
  role: 'user' | 'assistant'
  content: string
  /** Calls of an assistant message with their results. */
  tool_calls: StoredToolCall[]
}

export interface Input {
  /** Items in the shape of `GET /responses/{id}/input_items`. */
  items: RawItem[]
  /** Messages of `system` and `developer`. */
  standing: string[]
  said: Said[]
  /** The parts of `items` that contain files. */
  files: FilePart[]
  /** The results of calls that the previous response waits for, by the ids of the calls. */
  outputs: Map<string, string>
  /** The calls in `said`, by their ids; the last one of each. */
  calls: Map<string, StoredToolCall>
}

/**
 * Reads the input. Every message of the role `user` becomes user content, except for what is stored: it must neither add
 * instructions to the agent's nor put words into its mouth. `waiting`: the calls that the previous response waits for.
 */
export function readInput(items: InputItem[], role: Role, waiting: ReadonlySet<string>, field = 'input'): Input {
  const input: Input = { items: [], standing: [], said: [], files: [], outputs: new Map(), calls: new Map() }
  for (const [index, { item: sent, isStored, isTrusted = role !== 'user' || isStored, documents }] of items.entries()) {
    const at = `${field}[${index}]`
    const item = shownItem(sent, index)
    input.items.push(item)
    if (itemKind(item) === 'function_call_output') {
      const callId = textField(item, 'call_id', at)
      if (waiting.has(callId)) input.outputs.set(callId, outputText(item, at))
      else addOutput(input, callId, outputText(item, at), at, isTrusted)
    } else if (itemKind(item) === 'message') {
      addMessage(input, item, at, isTrusted)
    } else if (itemKind(item) !== 'reasoning') {
      addCall(input, item, at, isTrusted, documents)
    }
  }
  return input
}

const itemKind = ({ type = 'message' }: RawItem): unknown => type

/** Ids are the same each time. */
function shownItem(item: RawItem, index: number): RawItem {
  const kind = itemKind(item)
  const prefix = { function_call: 'fc', function_call_output: 'fco', mcp_call: 'mcp', reasoning: 'rs' }[String(kind)]
  const id = typeof item.id === 'string' ? item.id : `${prefix ?? 'msg'}_input_${index}`
  if (kind !== 'message') return { status: 'completed', ...item, id }
  const part =
    item.role === 'assistant' ? { type: 'output_text', annotations: [], logprobs: [] } : { type: 'input_text' }
  const content = typeof item.content === 'string' ? [{ ...part, text: item.content }] : copyContent(item.content)
  return { status: 'completed', ...item, type: 'message', id, content }
}

const copyContent = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part: unknown) => (isObject(part) ? { ...part } : part)) : content

const isObject = (value: unknown): value is RawItem => typeof value === 'object' && value !== null

function addMessage(input: Input, item: RawItem, at: string, isTrusted: boolean): void {
  const { role } = item
  const text = contentText(item.content, `${at}.content`, role === 'user' ? input.files : null)
  if (role === 'user') addUser(input, text)
  else if (role === 'assistant' && isTrusted) replyIn(input).content += text
  else if (role === 'assistant') addUser(input, `[Earlier reply, as quoted by the user]\n${text}`)
  else if (role !== 'system' && role !== 'developer')
    invalid(`${at}.role`, 'must be user, assistant, system or developer')
  else if (isTrusted) input.standing.push(text)
  else addUser(input, text)
}

function addUser({ said }: Input, text: string): void {
  const last = said.at(-1)
  if (last?.role === 'user') last.content += `\n\n${text}`
  else said.push({ role: 'user', content: text, tool_calls: [] })
}

/** The reply that the input is in. One that has text ends before further calls. */
function replyIn({ said }: Input, isCall = false): Said {
  const last = said.at(-1)
  if (last?.role === 'assistant' && !(isCall && last.content !== '')) return last
  const reply: Said = { role: 'assistant', content: '', tool_calls: [] }
  said.push(reply)
  return reply
}

function addCall(input: Input, item: RawItem, at: string, isTrusted: boolean, documents: string[]): void {
  const kind = itemKind(item)
  if (kind !== 'function_call' && kind !== 'mcp_call') {
    const known = 'message, function_call, function_call_output, mcp_call, reasoning and item_reference'
    invalid(`${at}.type`, `${JSON.stringify(kind)} is not supported; there are ${known}`)
  }
  const id = textField(item, kind === 'mcp_call' ? 'id' : 'call_id', at)
  const name = textField(item, 'name', at)
  const sent = textField(item, 'arguments', at)
  if (!isTrusted) {
    addUser(input, `[Called ${name} with ${sent}]`)
    return
  }
  const result = kind === 'mcp_call' ? resultText(item) : null
  const status = result === null ? 'handed_over' : 'completed'
  const call: StoredToolCall = {
    id,
    tool_id: null,
    name,
    arguments: parseJson(sent) ?? sent,
    status,
    result,
    latency_ms: null,
    ...(documents.length > 0 && { documents }),
  }
  replyIn(input, true).tool_calls.push(call)
  input.calls.set(id, call)
}

function addOutput(input: Input, callId: string, output: string, at: string, isTrusted: boolean): void {
  const call = input.calls.get(callId)
  if (call) Object.assign(call, { status: 'completed', result: output })
  else if (!isTrusted) addUser(input, `[Result of ${callId}]\n${output}`)
  else {
    const where = 'before it, nor one that the previous response waits for'
    invalid(`${at}.call_id`, `there is no function_call "${callId}" ${where}`)
  }
}

const resultText = ({ output, error }: RawItem): string =>
  typeof output === 'string' ? output : error ? JSON.stringify(error) : ''

function textField(item: RawItem, name: string, at: string): string {
  const value = item[name]
  return typeof value === 'string' ? value : invalid(`${at}.${name}`, 'must be a string')
}

const outputText = ({ output }: RawItem, at: string): string => contentText(output, `${at}.output`)

const textParts = ['input_text', 'output_text', 'text', 'refusal']

/** The text, and the parts that bring files into `files`. */
function contentText(content: unknown, at: string, files: FilePart[] | null = null): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return invalid(at, 'must be a string or an array of parts')
  return content.map((part, index) => partText(part, `${at}[${index}]`, files)).join('')
}

function partText(part: unknown, at: string, files: FilePart[] | null): string {
  const { type, text, refusal } = (part ?? {}) as RawItem
  if (files && fileParts.includes(String(type))) {
    files.push({ part: part as RawItem, at })
    return ''
  }
  const known = files ? 'text, input_image and input_file are supported' : 'only text is supported'
  if (!textParts.includes(String(type))) invalid(at, `has the type ${JSON.stringify(type)}; ${known}`)
  const value = type === 'refusal' ? refusal : text
  return typeof value === 'string' ? value : invalid(`${at}.text`, 'must be a string')
}
