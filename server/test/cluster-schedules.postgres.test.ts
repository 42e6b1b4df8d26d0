import { expect, it } from 'vitest'
import { timestamp } from '../src/kernel/time.ts'
import { freshEnvironment, type Json, requestsTo, until } from './harness.ts'
import { type Started, setClock, startWithClock } from './process.ts'

/** The due times of all schedules in all periods. Ten thousand, with ten kills, took three minutes on two cores. */
const dueTimes = Number(process.env.PARLEY_TEST_DUE_TIMES ?? 24)
const schedulesAtOnce = Math.min(250, Math.max(2, Math.floor(dueTimes / 12)))
/** Schedules that are due at the same time join the same sync, so that the syncs are a small part of the work. */
const schedulesOfSource = 25
const steps = Math.ceil(dueTimes / schedulesAtOnce / 2)
const kills = dueTimes < 1000 ? 1 : 10
const stepsPerKill = Math.floor((2 * steps) / kills)

const times = { cron: '*/30 * * * *', at: null, timezone: 'Europe/Berlin' }
/** The clock goes forward, and back. */
const changes = ['2027-03-28T01:00:00Z', '2027-10-31T01:00:00Z'].map((change) => Date.parse(change))
const halfHour = 30 * 60_000

it(
  `${dueTimes} due times over two changes of the clock: none is missed or doubled by three nodes, of which some are killed`,
  async () => {
    const token = 'the-owner-of-this-test'
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: token }
    const first = (changes[0] as number) - (steps / 2) * halfHour
    const nodes: Started[] = [startWithClock(environment, first)]
    await nodes[0]?.address // it creates the tables
    nodes.push(startWithClock(environment, first), startWithClock(environment, first))
    const ask = async (at = 0) => requestsTo((await nodes[at]?.address) as string, token)
    const found = { runs: 0, missed: 0, doubled: 0, other: 0, kills: 0 }

    let stepsDone = 0
    for (const change of changes) {
      const start = change - (steps / 2) * halfHour + 60_000
      for (const node of nodes) setClock(node, start)
      const { post } = await ask()
      const ids: string[] = []
      let action = {}
      for (let n = 0; n < schedulesAtOnce; n++) {
        if (n % schedulesOfSource === 0) {
          const source = (await post('/knowledge-sources', { name: 'S', type: 'file' })).body.data.id
          action = { type: 'sync', knowledge_source_id: source }
        }
        ids.push((await post('/schedules', { name: `${n}`, ...times, action })).body.data.id)
      }
      let due = timestamp((Math.floor(start / halfHour) + 1) * halfHour)
      const expected: string[] = []
      for (let step = 1; step <= steps; step++) {
        expected.push(due)
        const next = timestamp(Date.parse(due) + halfHour)
        for (const node of nodes) setClock(node, Date.parse(due) + 1000)
        if (++stepsDone % stepsPerKill === Math.ceil(stepsPerKill / 2)) {
          const at = ++found.kills % nodes.length
          const killed = nodes[at] as Started
          const other = await ask((at + 1) % nodes.length)
          await until(async () => (await countDueAt(other, due)) < schedulesAtOnce)
          killed.child.kill('SIGKILL')
          await killed.ended
          nodes[at] = startWithClock(environment, Date.parse(due) + 2000)
        }
        const here = await ask(step % nodes.length)
        await until(async () => (await countDueAt(here, due)) === 0)
        await until(async () => (await currentStates(here)).every((state) => state === next))
        due = next
      }
      const here = await ask()
      for (const id of ids) {
        const runs: Json[] = []
        for (let page = 1; page === 1 || runs.length === (page - 1) * 100; page++)
          runs.push(...(await here.get(`/schedules/${id}/runs?limit=100&page=${page}`)).body.data)
        const seen = runs.map(({ due_at }) => due_at as string)
        found.runs += runs.length
        found.missed += expected.filter((each) => !seen.includes(each)).length
        found.doubled += seen.length - new Set(seen).size
        found.other += seen.filter((each) => !expected.includes(each)).length
        await here.remove(`/schedules/${id}`)
      }
    }
    process.stdout.write(`Due times: ${JSON.stringify(found)}\n`)
    expect(found).toMatchObject({ runs: schedulesAtOnce * steps * 2, missed: 0, doubled: 0, other: 0 })
  },
  Math.max(240_000, dueTimes * 200),
)

const countDueAt = async ({ get }: ReturnType<typeof requestsTo>, due: string): Promise<number> =>
  (await get(`/schedules?next_run_at=${due}&limit=1`)).body.pagination.total

/** The next due time of each schedule, once its last run has ended. */
async function currentStates({ get }: ReturnType<typeof requestsTo>): Promise<(string | null)[]> {
  const states: (string | null)[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = (await get(`/schedules?limit=100&page=${page}`)).body as Json
    for (const { next_run_at, last_run } of data as Json[])
      states.push(last_run && last_run.finished_at === null ? `${last_run.due_at} runs` : next_run_at)
    pages = pagination.pages
  }
  return states
}
