import { production } from '../../kernel/store/labels.ts'
import { Histogram, type Totals, totalNames, type VersionTotals } from '../conversations/statistics/statistics.ts'
import { dollars } from '../usage/cost.ts'
import type { ConversationAnalytics } from './schema.ts'

type VersionRow = ConversationAnalytics['by_version'][number]

export function total(parts: Totals[]): Totals {
  const sum = Object.fromEntries(totalNames.map((name) => [name, 0])) as Totals
  for (const part of parts) for (const name of totalNames) sum[name] += part[name]
  return sum
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

export const metrics = ({ input, output, cost, up, down, errors, replies }: Totals) => ({
  tokens: { input, output },
  cost: dollars(cost),
  feedback: { up, down, satisfaction_rate: up + down === 0 ? null : share(up, up + down) },
  errors: { total: errors, rate: share(errors, replies) },
})

const replyMetrics = (parts: VersionTotals[]) => {
  const all = total(parts)
  return {
    replies: all.replies,
    ...metrics(all),
    cost_per_reply: all.replies === 0 ? 0 : dollars(Math.round(all.cost / all.replies)),
    latency_ms: new Histogram(parts.map(({ latency }) => latency).join()).percentiles(),
  }
}

/** Each version with its difference to the version before it. */
export function byVersion(totals: VersionTotals[]): VersionRow[] {
  const groups = Map.groupBy(totals, ({ agent_id, agent_version }) => `${agent_id} ${agent_version}`)
  const rows = [...groups.values()].map((parts) => {
    const { agent_id = '', agent_version = 0 } = parts[0] ?? {}
    return { agent_id, version: agent_version, ...replyMetrics(parts), change: null }
  })
  rows.sort((a, b) => (a.agent_id === b.agent_id ? b.version - a.version : a.agent_id < b.agent_id ? -1 : 1))
  return rows.map((row, at) => {
    const before = rows[at + 1]
    return before?.agent_id === row.agent_id
      ? { ...row, change: { version: before.version, ...changeSince(before, row) } }
      : row
  })
}

type Metrics = ReturnType<typeof replyMetrics>

function changeSince(before: Metrics, after: Metrics) {
  return {
    satisfaction_rate: difference(before.feedback.satisfaction_rate, after.feedback.satisfaction_rate, 1e4),
    error_rate: difference(before.errors.rate, after.errors.rate, 1e4) ?? 0,
    cost_per_reply: difference(before.cost_per_reply, after.cost_per_reply, 1e9) ?? 0,
    latency_p50_ms: difference(before.latency_ms.p50, after.latency_ms.p50, 1),
  }
}

const difference = (before: number | null, after: number | null, scale: number): number | null =>
  before === null || after === null ? null : Math.round((after - before) * scale) / scale

/** Each label with its difference to `production` of the same agent. */
export function byLabel(totals: VersionTotals[]): ConversationAnalytics['by_label'] {
  const labelled = totals.filter(({ label }) => label !== '')
  const groups = Map.groupBy(labelled, ({ agent_id, label }) => `${agent_id} ${label}`)
  const rows = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, parts]) => {
      const { agent_id = '', label = '' } = parts[0] ?? {}
      return { agent_id, label, ...replyMetrics(parts) }
    })
  return rows.map((row) => {
    const control = rows.find(({ agent_id, label }) => agent_id === row.agent_id && label === production)
    return { ...row, change: control && control !== row ? changeSince(control, row) : null }
  })
}
