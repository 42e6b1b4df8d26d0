import type { TurnEvent } from '../../runs/events.ts'

/** An event without its number. */
export type BareEvent = { type: string } & Record<string, unknown>
export type OutputItem = { id: string; type: string } & Record<string, unknown>

interface OpenText {
  kind: 'message' | 'reasoning'
  at: number
  text: string
}

interface Options {
  /** The id of the reply without its prefix. The ids of items are derived from it, so they are the same each time. */
  id: string
  /** The tools of the client. */
  callerTools: ReadonlySet<string>
  /** Finds the annotations of the text that is open when the reply ends. */
  annotate(text: string): object[]
  /** Where calls are approved. */
  approvalsAt: string
  /** Where the person finds the conversation. */
  conversationAt: string
}

/** The name under which the agent's own tools are shown. */
const serverLabel = 'agent'
const prefixes = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  mcp_call: 'mcp',
  mcp_approval_request: 'mcpr',
} as const

/** Makes the output items of a response from the events of a reply, and the events that tell of them. */
export class Output {
  readonly items: OutputItem[] = []
  readonly #options: Options
  readonly #calls = new Map<string, number>()
  /** The ids of approvals by the ids of their calls. */
  readonly #approvals = new Map<string, string>()
  #open: OpenText | null = null

  constructor(options: Options) {
    this.#options = options
  }

  add(event: TurnEvent): BareEvent[] {
    switch (event.type) {
      case 'text.delta':
        return this.#addText('message', event.delta)
      case 'reasoning.delta':
        return this.#addText('reasoning', event.delta)
      case 'approval.required':
        return [...this.#close('completed'), ...this.#requestApproval(event)]
      case 'connection.required':
        return [...this.#close('completed'), ...this.#requestAction(event, event.authorize_url)]
      case 'input.required':
        return [...this.#close('completed'), ...this.#requestAction(event, event.url)]
      case 'tool.started':
        return [...this.#close('completed'), ...this.#startCall(event)]
      case 'tool.finished':
        return this.#finishCall(event)
      case 'message.completed':
        return this.#end(event.message.finish_reason === 'length' ? 'incomplete' : 'completed')
      case 'message.failed':
      case 'message.cancelled':
        return this.#end('incomplete')
      default:
        return []
    }
  }

  #addItem(type: keyof typeof prefixes, fields: object): number {
    const at = this.items.length
    this.items.push({ id: `${prefixes[type]}_${this.#options.id}_${at}`, type, status: 'in_progress', ...fields })
    return at
  }

  #item = (at: number): OutputItem => this.items[at] as OutputItem

  /** Copies the item as it is now: it changes later. */
  #about(type: 'response.output_item.added' | 'response.output_item.done', at: number): BareEvent {
    return { type, output_index: at, item: structuredClone(this.#item(at)) }
  }

  #addText(kind: OpenText['kind'], delta: string): BareEvent[] {
    const events = this.#open?.kind === kind ? [] : [...this.#close('completed'), ...this.#openText(kind)]
    const open = this.#open as OpenText
    open.text += delta
    const text = kind === 'message' ? 'output_text' : 'reasoning_text'
    const logprobs = kind === 'message' ? { logprobs: [] } : {}
    return [...events, { type: `response.${text}.delta`, ...this.#place(open), delta, ...logprobs }]
  }

  #place = ({ at }: OpenText) => ({ item_id: this.#item(at).id, output_index: at, content_index: 0 })

  #openText(kind: OpenText['kind']): BareEvent[] {
    const fields = kind === 'message' ? { role: 'assistant', content: [] } : { summary: [], content: [] }
    const open = { kind, at: this.#addItem(kind, fields), text: '' }
    this.#open = open
    return [
      this.#about('response.output_item.added', open.at),
      { type: 'response.content_part.added', ...this.#place(open), part: toPart(open, []) },
    ]
  }

  #close(status: 'completed' | 'incomplete', annotations: object[] = []): BareEvent[] {
    const open = this.#open
    if (!open) return []
    this.#open = null
    const place = this.#place(open)
    const part = toPart(open, annotations)
    Object.assign(this.#item(open.at), { status, content: [part] })
    const added = annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...place,
      annotation_index,
      annotation,
    }))
    const done =
      open.kind === 'message'
        ? { type: 'response.output_text.done', ...place, text: open.text, logprobs: [] }
        : { type: 'response.reasoning_text.done', ...place, text: open.text }
    return [
      ...added,
      done,
      { type: 'response.content_part.done', ...place, part },
      this.#about('response.output_item.done', open.at),
    ]
  }

  /** The call waits for a person. The id of the item is that of the approval. */
  #requestApproval(call: { tool_call_id: string; approval_id: string | null; name: string; arguments: unknown }) {
    const { tool_call_id, approval_id, name } = call
    const approval_url = this.#options.approvalsAt
    const fields = { server_label: serverLabel, name, arguments: sentArguments(call), approval_url }
    const at = this.#addItem('mcp_approval_request', fields)
    const item = this.#item(at)
    delete item.status
    if (approval_id !== null) item.id = approval_id
    this.#approvals.set(tool_call_id, item.id)
    return [this.#about('response.output_item.added', at), this.#about('response.output_item.done', at)]
  }

  /** The call that has started waits for the person to connect an account, or to answer a question of its tool. */
  #requestAction(need: { type: string; tool_call_id: string; name: string; message?: string }, url?: string | null) {
    const { type, tool_call_id, name } = need
    const at = this.#calls.get(tool_call_id)
    const sent = at === undefined ? '{}' : this.#item(at).arguments
    const action = type === 'connection.required' ? 'connect_account' : 'answer_question'
    const fields = { server_label: serverLabel, name, arguments: sent }
    const { message = `Connect your account for "${name}".` } = need
    const approval_url = url ?? this.#options.conversationAt
    const request = this.#addItem('mcp_approval_request', { ...fields, approval_url, action, message })
    delete this.#item(request).status
    return [this.#about('response.output_item.added', request), this.#about('response.output_item.done', request)]
  }

  #startCall(call: { tool_call_id: string; name: string; arguments: unknown }): BareEvent[] {
    const { tool_call_id: call_id, name } = call
    const sent = sentArguments(call)
    const isCallers = this.#options.callerTools.has(name)
    const at = isCallers
      ? this.#addItem('function_call', { call_id, name, arguments: '' })
      : this.#addItem('mcp_call', {
          server_label: serverLabel,
          name,
          arguments: '',
          output: null,
          error: null,
          approval_request_id: this.#approvals.get(call_id) ?? null,
        })
    const item = this.#item(at)
    const place = { item_id: item.id, output_index: at }
    const added = this.#about('response.output_item.added', at)
    item.arguments = sent
    const event = isCallers ? 'response.function_call_arguments' : 'response.mcp_call_arguments'
    const sentEvents: BareEvent[] = [
      { type: `${event}.delta`, ...place, delta: sent },
      { type: `${event}.done`, ...place, ...(isCallers && { name }), arguments: sent },
    ]
    if (!isCallers) {
      this.#calls.set(call_id, at)
      return [added, { type: 'response.mcp_call.in_progress', ...place }, ...sentEvents]
    }
    item.status = 'completed'
    return [added, ...sentEvents, this.#about('response.output_item.done', at)]
  }

  #finishCall(call: { tool_call_id: string; status: string; result: string | null }): BareEvent[] {
    const at = this.#calls.get(call.tool_call_id)
    if (at === undefined) return []
    this.#calls.delete(call.tool_call_id)
    const item = this.#item(at)
    const place = { item_id: item.id, output_index: at }
    const isDone = call.status === 'completed'
    const error = { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: call.result ?? '' }] }
    Object.assign(item, isDone ? { status: 'completed', output: call.result ?? '' } : { status: 'failed', error })
    return [
      { type: isDone ? 'response.mcp_call.completed' : 'response.mcp_call.failed', ...place },
      this.#about('response.output_item.done', at),
    ]
  }

  #end(status: 'completed' | 'incomplete'): BareEvent[] {
    const annotations = this.#open?.kind === 'message' ? this.#options.annotate(this.#open.text) : []
    const closed = this.#close(status, annotations)
    const cut = [...this.#calls.values()].map((at) => {
      this.#item(at).status = 'incomplete'
      return this.#about('response.output_item.done', at)
    })
    this.#calls.clear()
    return [...closed, ...cut]
  }
}

const sentArguments = (call: { arguments: unknown }): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})

const toPart = ({ kind, text }: OpenText, annotations: object[]): object =>
  kind === 'message' ? { type: 'output_text', text, annotations, logprobs: [] } : { type: 'reasoning_text', text }
