import type { Message, ReplyEvent } from '../client.ts'
import type { Printer } from '../printer.ts'
import { cleanLine, truncate } from '../text.ts'

const maxLine = 120

const short = (value: unknown): string =>
  truncate(cleanLine(typeof value === 'string' ? value : JSON.stringify(value)), maxLine)

const seconds = (milliseconds: number | null): string =>
  milliseconds === null
    ? ''
    : milliseconds < 1000
      ? ` (${milliseconds} ms)`
      : ` (${(milliseconds / 1000).toFixed(1)} s)`

/** Prints a reply as it is streamed: the text to `out`, the steps of the agent to `steps`. */
export interface ReplyView {
  show(event: ReplyEvent): void
  note(text: string): void
  /** Ends the line of text, if one is open. */
  endLine(): void
}

export function replyView(out: Printer, steps: Printer): ReplyView {
  let isLineOpen = false
  const names = new Map<string, string>()
  const endLine = () => {
    if (isLineOpen) out.line()
    isLineOpen = false
  }
  const step = (text: string) => {
    endLine()
    steps.line(steps.paint('dim', text))
  }
  const show = (event: ReplyEvent): void => {
    if (event.type === 'text.delta') {
      out.text(event.delta)
      if (event.delta !== '') isLineOpen = !event.delta.endsWith('\n')
    }
    if (event.type === 'tool.started' || event.type === 'approval.required') names.set(event.tool_call_id, event.name)
    const line = stepLine(event, cleanLine(('tool_call_id' in event && names.get(event.tool_call_id)) || 'tool'))
    if (line !== null) step(line)
  }
  return { show, note: step, endLine }
}

/** One line about a step of the agent. Null for events that are shown in another way. */
function stepLine(event: ReplyEvent, tool: string): string | null {
  switch (event.type) {
    case 'tool.started':
      return `→ ${tool} ${short(event.arguments)}`
    case 'tool.progress':
      return `  ${tool}: ${[formatProgress(event), short(event.text ?? '')].join(' ').trim()}`
    case 'tool.finished':
      if (event.status === 'completed') return `✓ ${tool}${seconds(event.latency_ms)}`
      return `✗ ${tool} ${event.status}: ${short(event.result ?? '')}`
    case 'handoff':
      return `⇢ passed on to ${cleanLine(event.to_agent_id)}${event.reason === '' ? '' : `: ${short(event.reason)}`}`
    case 'memory.written':
      return `✎ remembered: ${short(event.content)}`
    case 'message.failed':
      return `The reply failed: ${cleanLine(event.error)} (${event.code})`
    case 'message.cancelled':
      return 'Stopped.'
    default:
      return null
  }
}

const formatProgress = ({ progress, total }: { progress: number; total: number | null }): string =>
  total === null ? `${progress}` : `${progress} of ${total}`

/** The passages that a reply cites, one line each. */
export function printCitations(out: Printer, { citations }: Pick<Message, 'citations'>): void {
  if (citations.length === 0) return
  out.line()
  out.line(out.paint('bold', 'Sources'))
  for (const { index, source, page, quote } of citations) {
    out.line(`[${index}] ${cleanLine(source)}, page ${page}: ${out.paint('dim', short(quote))}`)
  }
}
