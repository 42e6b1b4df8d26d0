import { expect, it } from 'vitest'
import { chaos } from './chaos.ts'

it('a cluster whose parts fail loses nothing, doubles nothing and bills every call once', async () => {
  const findings = await chaos({
    seconds: 60,
    seed: 1,
    apis: 2,
    workers: 1,
    redis: true,
    users: 4,
    faults: ['kill -9 an api node', 'crash Postgres', 'stop Redis'],
    report() {},
  })
  expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  const checked = Object.fromEntries(findings.map(({ name, checked }) => [name, checked]))
  expect(checked['acknowledged messages lost']).toBeGreaterThan(0)
}, 300_000)
