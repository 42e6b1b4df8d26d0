import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readText } from './files.ts'

it('the alert rules notice within a minute that a node, its database, its event loop or its answers fail', () => {
  const rules: { alert: string; expr: string; for?: string }[] = parse(readText('docs/prometheus/alerts.yaml'))
    .groups[0].rules
  const seconds = (duration = '0s') => Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1)
  for (const [alert, metric] of [
    ['ParleyDown', 'up{job="parley"}'],
    ['ParleyDatabaseDown', 'parley_database_up'],
    ['ParleyEventLoopBlocked', 'parley_nodejs_eventloop_lag_p99_seconds'],
    ['ParleyRequestsFail', 'parley_http_requests_total{status=~"5.."}'],
  ] as const) {
    const rule = rules.find((each) => each.alert === alert)
    expect(rule?.expr).toContain(metric)
    const ranges = [...(rule?.expr ?? '').matchAll(/\[(\w+)\]/g)].map(([, range]) => seconds(range))
    expect([alert, Math.max(seconds(rule?.for), ...ranges)]).toEqual([alert, expect.toSatisfy((wait) => wait <= 60)])
  }
})
