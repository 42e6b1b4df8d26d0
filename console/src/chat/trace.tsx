import type { Message, Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from '../api/parley.ts'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { count, decimal, dollars, milliseconds } from '../ui/format.ts'
import { Loading } from '../ui/states.tsx'

type Step = Schemas['TraceStep']

const labels: Partial<Record<Step['type'], string>> = {
  agent: 'Load agent',
  history: 'Choose history',
  search: 'Search',
  approval: 'Wait for approval',
  recall: 'Recall memories',
  remember: 'Remember',
  summary: 'Summarize',
}

/** The steps of a reply as a waterfall: a table, with a bar for each step. */
export function TracePanel({ message }: { message: Message }) {
  const { id, conversation_id: conversation } = message
  const trace = useQuery({
    queryKey: ['conversations', conversation, 'trace', id],
    queryFn: ({ signal }) => parley.conversations.trace(conversation, id, { signal }),
  })
  if (trace.error) return <ErrorPanel error={trace.error} onRetry={() => void trace.refetch()} />
  if (!trace.data) return <Loading />
  if (trace.data.steps.length === 0) return <p className="muted small">No steps were recorded for this reply.</p>
  return <Waterfall steps={trace.data.steps} />
}

export function Waterfall({ steps }: { steps: Step[] }) {
  const activeTime = activeTimeIn(steps)
  const total = Math.max(1, ...steps.map((step) => activeTime(endTime(step))))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="table-frame trace" aria-label="Trace" tabIndex={0}>
      <table>
        <caption className="visually-hidden">Steps of this reply</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className="timeline" aria-hidden>
              Timeline
            </th>
            <th scope="col" className="numeric">
              Duration
            </th>
            <th scope="col" className="numeric">
              Tokens
            </th>
            <th scope="col" className="numeric">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => {
            const from = activeTime(step.start_ms) / total
            const width = activeTime(endTime(step)) / total - from
            return (
              <tr key={step.number}>
                <th scope="row" className={step.parent === null ? '' : 'part'}>
                  {labels[step.type] ?? step.name} <Notes step={step} />
                </th>
                <td className="timeline" aria-hidden>
                  <span
                    className="bar"
                    data-type={step.type}
                    data-status={step.status}
                    style={{ marginInlineStart: `${from * 100}%`, width: `${width * 100}%` }}
                  />
                </td>
                <td className="numeric">
                  {step.duration_ms === null ? 'running' : duration(step.duration_ms)}
                  <span className="visually-hidden">, started at {duration(step.start_ms)}</span>
                </td>
                <td className="numeric">{step.usage ? count(step.usage.total_tokens) : '–'}</td>
                <td className="numeric">{stepCost(step)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Notes({ step }: { step: Step }) {
  const { status, error, attempts, results, messages, omitted_messages: omitted, usage } = step
  const failed = status === 'completed' || status === 'running' ? null : status
  const notes = [
    failed && [failed, error].filter(Boolean).join(': '),
    attempts !== null && attempts > 1 && `${attempts} attempts`,
    step.time_to_first_token_ms !== null && `first token after ${duration(step.time_to_first_token_ms)}`,
    usage?.estimated && 'estimated',
    step.memories !== null && (step.memories.length === 1 ? '1 memory' : `${step.memories.length} memories`),
    step.memories === null && results !== null && (results === 1 ? '1 passage' : `${count(results)} passages`),
    messages !== null && messages > 0 && (messages === 1 ? '1 message' : `${count(messages)} messages`),
    omitted !== null && omitted > 0 && `${count(omitted)} left out`,
  ].filter(Boolean)
  return notes.length > 0 && <span className={failed ? 'bad-text' : 'muted'}>{notes.join(' · ')}</span>
}

const stepCost = ({ usage }: Step): string =>
  usage === null ? '–' : usage.cost === null ? 'not known' : dollars(usage.cost)

const endTime = ({ start_ms, duration_ms }: Step): number => start_ms + (duration_ms ?? 0)

/** Leaves out the time that the turn waited for people, which would dwarf everything else. */
function activeTimeIn(steps: Step[]): (time: number) => number {
  const waits = steps.filter(({ type }) => type === 'approval')
  return (time) =>
    time - waits.reduce((sum, wait) => sum + Math.max(0, Math.min(time, endTime(wait)) - wait.start_ms), 0)
}

const minute = 60_000
const hour = 60 * minute

function duration(time: number): string {
  if (time >= hour) return `${decimal(time / hour)} h`
  return time >= minute ? `${decimal(time / minute)} min` : milliseconds(time)
}
