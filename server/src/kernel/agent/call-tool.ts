import { reason } from '../errors.ts'
import type { ToolCall } from '../llm/model.ts'
import type { AgentTool, AwaitedReply, CallPurpose, Grants, ToolOutput, ToolProgress } from './agent-tool.ts'
import { parseJson, refusalText, refusedWithoutApprover, type StartedCall, type Verdict } from './approval.ts'
import { type Need, type ToolAnswer, unmetNeed } from './needs.ts'
import type { Steps } from './steps.ts'

export interface FinishedCall extends StartedCall {
  /** `refused`: it needed approval and did not get it. `waiting`: it needs a person, or the agent that answers it does. */
  status: 'completed' | 'failed' | 'refused' | 'waiting'
  output: ToolOutput
  latency: number
}

/** Follows the calls of tools. */
export interface ToolListener {
  onToolStarted(call: StartedCall): void
  onToolProgress?(callId: string, progress: ToolProgress): void
  onToolFinished(call: FinishedCall): void
  /** The number of citations so far. */
  cited?(): number
}

interface ToolRun {
  signal: AbortSignal
  purpose?: CallPurpose
  /** All tools of the agent. */
  tools: AgentTool[]
  grants?: Grants
  steps: Steps
}

/** The conversation in which another agent answers a call. The id is null if it is not stored or could not be created. */
interface OpenedConversation {
  id: string | null
  failure?: unknown
}

interface CallOptions {
  /** The decision about a call that needed approval. */
  decision?: Verdict | undefined
  /** Whether the call may wait for a person. */
  canPause?: boolean
  opened?: OpenedConversation | undefined
  /** Set for a call that has waited for the reply of another agent. */
  awaits?: AwaitedReply | undefined
  /** The action that the call has waited for. */
  needs?: Need | undefined
  answers?: readonly ToolAnswer[] | undefined
}

const maxResultLength = 60_000

/** Runs one call of the model with one of these tools. A failure is its result, so that the model learns of it. */
export async function callTool(
  { signal, purpose, tools: available, grants, steps }: ToolRun,
  call: ToolCall,
  tools: AgentTool[],
  listener: ToolListener,
  { decision, canPause = false, opened, awaits, needs, answers }: CallOptions = {},
): Promise<FinishedCall> {
  const tool = tools.find(({ name }) => name === call.name)
  const input = parseJson(call.arguments)
  const started: StartedCall = {
    id: call.id,
    toolId: tool?.id ?? null,
    name: call.name,
    input: input ?? call.arguments,
  }
  const startedAt = performance.now()
  const facts = { name: call.name, toolCallId: call.id, toolId: started.toolId }
  const step = steps.start(tool?.kind === 'search' ? 'retrieval' : 'tool', facts)
  const finish = (status: 'completed' | 'failed' | 'refused', output: ToolOutput): FinishedCall => {
    const numbered = withCitationNumbers(output, (listener.cited?.() ?? 0) + 1)
    const finished = {
      ...started,
      status,
      output: truncated(numbered),
      latency: Math.round(performance.now() - startedAt),
    }
    const resultCount = output.citations && { results: output.citations.length }
    step.content(() => ({ arguments: started.input, result: finished.output.content }))
    if (!signal.aborted) step.end({ ...(status !== 'completed' && { failure: status }), ...resultCount })
    listener.onToolFinished(finished)
    return finished
  }
  if (decision && decision.status !== 'approved') return finish('refused', { content: refusalText(decision, needs) })
  if (opened?.id) started.conversationId = opened.id
  listener.onToolStarted(started)
  if (opened?.failure) return finish('failed', { content: `The tool failed: ${reason(opened.failure)}` })
  if (!tool) return finish('failed', { content: noSuchTool(call.name, available) })
  if (input === undefined) return finish('failed', { content: 'The arguments are not valid JSON. Write them again.' })
  if (tool.requiresApproval && !decision) return finish('refused', { content: refusedWithoutApprover })
  try {
    const onProgress = (progress: ToolProgress) => listener.onToolProgress?.(call.id, progress)
    const answered = opened?.id && { answered: { conversationId: opened.id, ...awaits } }
    const own = { canPause, step, ...answered, ...(answers && { answers }), ...(grants && { grants }) }
    const output = await tool.run(input, signal, { ...purpose, ...own }, onProgress)
    if (!output.awaits && !output.needs) return finish('completed', output)
    if (output.needs && !canPause) return finish('failed', { content: unmetNeed(output.needs) })
    step.end()
    return { ...started, status: 'waiting', output, latency: 0 }
  } catch (error) {
    return finish('failed', { content: `The tool failed: ${reason(error)}` })
  }
}

/** Creates the conversations in which other agents answer, in the order of the calls. Most steps have none. */
export async function openConversations(
  { purpose = {} }: Pick<ToolRun, 'purpose'>,
  calls: readonly ToolCall[],
  tools: AgentTool[],
): Promise<Map<string, OpenedConversation>> {
  const opened = new Map<string, OpenedConversation>()
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name)
    const input = tool?.open && parseJson(call.arguments)
    if (!tool?.open || input === undefined) continue
    const opening = tool.open(input, purpose).then(
      (id) => ({ id }),
      (failure: unknown) => ({ id: null, failure }),
    )
    opened.set(call.id, await opening)
  }
  return opened
}

const noSuchTool = (name: string, tools: AgentTool[]): string =>
  `There is no tool "${name}". ${tools.length > 0 ? `There are: ${tools.map((tool) => tool.name).join(', ')}.` : 'Answer without tools.'}`

/** Citations are numbered across the whole turn, and the model must see the final numbers. */
const withCitationNumbers = (output: ToolOutput, first: number): ToolOutput =>
  output.numberedFrom && first > 1 ? { ...output, content: output.numberedFrom(first) } : output

const truncated = (output: ToolOutput): ToolOutput =>
  output.content.length <= maxResultLength
    ? output
    : {
        ...output,
        content: `${output.content.slice(0, maxResultLength)}\n[The rest was cut off: the result was too long.]`,
      }
