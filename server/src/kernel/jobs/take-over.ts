import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { Db } from '../store/database.ts'
import type { Nodes } from '../store/nodes.ts'
import { second } from '../time.ts'
import { nodesWithJobs, type RunningJobRow, takeFrom } from './table.ts'

const interval = 5 * second

interface TakeOver {
  db: Db
  node: string
  nodes: Nodes
  log: Logger
  redeliver(job: RunningJobRow): Promise<void>
  signal: AbortSignal
}

/** Delivers the jobs of dead nodes again, soon after their death: their heartbeats are overdue only much later. */
export async function takeOverJobs({ signal, log, ...from }: TakeOver): Promise<void> {
  while (!signal.aborted) {
    await takeOver(from).catch((error) => log.warn({ error: reason(error) }, 'could not look for jobs of dead nodes'))
    await sleep(interval, undefined, { signal, ref: false }).catch(() => {})
  }
}

async function takeOver({ db, node, nodes, redeliver }: Omit<TakeOver, 'signal' | 'log'>): Promise<void> {
  const others = (await nodesWithJobs(db)).filter((each) => each !== node)
  const dead = await nodes.dead(others)
  if (dead.length === 0) return
  for (const job of await takeFrom(db, dead)) await redeliver(job)
}
