import { Button } from '../../ui/button.tsx'
import { compact, costOfCalls, count, milliseconds, percent } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Labels, Versions } from './by-version.tsx'
import type { ConversationAnalytics } from './period.ts'

interface BreakdownProps {
  analytics: ConversationAnalytics
  onAgent: (id: string) => void
}

/** The figures by agent, version, label, topic and tool. */
export function Breakdown({ analytics, onAgent }: BreakdownProps) {
  const { search, change } = useListParams()
  const tabs = [
    { value: 'agent', label: 'By agent', content: <Agents rows={analytics.by_agent} onAgent={onAgent} /> },
    {
      value: 'version',
      label: 'By version',
      content: <Versions rows={analytics.by_version} names={analytics.by_agent} />,
    },
    { value: 'label', label: 'By label', content: <Labels rows={analytics.by_label} names={analytics.by_agent} /> },
    { value: 'topic', label: 'By topic', content: <Topics rows={analytics.by_topic} /> },
    { value: 'tool', label: 'Tools', content: <Tools rows={analytics.tools} /> },
  ]
  const value = tabs.find((tab) => tab.value === search.by)?.value ?? 'agent'
  return <Tabs label="Breakdown" value={value} onChange={(by) => change({ by })} tabs={tabs} />
}

const Failures = ({ number, text }: { number: number; text: string }) => (
  <span className={number > 0 ? 'bad-text' : ''}>{text}</span>
)

type Rows<Name extends 'by_agent' | 'by_topic' | 'tools'> = ConversationAnalytics[Name]

function Agents({ rows, onAgent }: { rows: Rows<'by_agent'>; onAgent: (id: string) => void }) {
  return rows.length === 0 ? (
    <p className="muted">No agent activity in this period.</p>
  ) : (
    <Table
      label="By agent"
      rows={rows}
      rowKey={({ agent_id: id }) => id}
      columns={[
        {
          title: 'Agent',
          cell: ({ agent_id: id, name }) => (
            <Button small variant="quiet" onClick={() => onAgent(id)}>
              {name ?? 'Deleted agent'}
            </Button>
          ),
        },
        { title: 'Conversations', numeric: true, minor: true, cell: ({ conversations }) => count(conversations) },
        { title: 'Messages', numeric: true, cell: ({ messages }) => count(messages) },
        {
          title: 'Tokens',
          numeric: true,
          minor: true,
          cell: ({ tokens }) => compact(tokens.input + tokens.output),
        },
        { title: 'Cost', numeric: true, cell: costOfCalls },
        {
          title: 'Satisfaction',
          numeric: true,
          minor: true,
          cell: ({ feedback: { satisfaction_rate: rate } }) => (rate === null ? '–' : percent(rate)),
        },
        {
          title: 'Errors',
          numeric: true,
          minor: true,
          cell: ({ errors }) => <Failures number={errors.total} text={percent(errors.rate)} />,
        },
      ]}
    />
  )
}

const Topics = ({ rows }: { rows: Rows<'by_topic'> }) =>
  rows.length === 0 ? (
    <p className="muted">
      Add topics to your agents to group questions by topic. New questions appear within a minute or so.
    </p>
  ) : (
    <Table
      label="By topic"
      rows={rows}
      rowKey={({ topic }) => topic}
      columns={[
        { title: 'Topic', cell: ({ topic }) => topic },
        {
          title: 'Share',
          cell: ({ topic, messages }) => (
            <progress
              className="share"
              aria-label={`Share of ${topic}`}
              max={Math.max(1, rows[0]?.messages ?? 1)}
              value={messages}
            />
          ),
        },
        { title: 'Questions', numeric: true, cell: ({ messages }) => count(messages) },
        { title: 'Conversations', numeric: true, minor: true, cell: ({ conversations }) => count(conversations) },
      ]}
    />
  )

const Tools = ({ rows }: { rows: Rows<'tools'> }) =>
  rows.length === 0 ? (
    <p className="muted">No tool calls in this period.</p>
  ) : (
    <Table
      label="Tools"
      rows={rows}
      rowKey={({ tool_id: id, name }) => `${id} ${name}`}
      columns={[
        { title: 'Tool', cell: ({ name }) => name },
        { title: 'Calls', numeric: true, cell: ({ calls }) => count(calls) },
        {
          title: 'Failures',
          numeric: true,
          cell: ({ failures }) => <Failures number={failures} text={count(failures)} />,
        },
        {
          title: 'Avg. latency',
          numeric: true,
          minor: true,
          cell: ({ average_latency_ms: latency }) => (latency === null ? '–' : milliseconds(Math.round(latency))),
        },
      ]}
    />
  )
