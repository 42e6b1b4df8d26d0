import type { Logger } from 'pino'
import type { Db } from '../store/database.ts'
import type { Nodes } from '../store/nodes.ts'
import { watchOthers } from '../store/watch-others.ts'
import { second } from '../time.ts'
import { requeueJobs, runningElsewhere } from './table.ts'

const interval = 5 * second
const idleInterval = 30 * second
/** A process that is alive but stuck is given up after this time without a heartbeat. */
const maxSilence = 15 * second

interface TakeOver {
  db: Db
  node: string
  nodes: Nodes
  random(): number
  log: Logger
  /** Called when jobs were requeued. */
  requeued(): void
}

interface Heartbeat {
  value: number | null
  /** When this process first saw it. */
  seenAt: number
}

/**
 * Requeues the jobs of dead nodes soon after their death, and those of nodes that are stuck. Returns the function that
 * stops it.
 */
export function takeOverJobs(from: TakeOver): () => void {
  const heartbeats = new Map<string, Heartbeat>()
  return watchOthers({ ...from, interval, idleInterval, what: 'jobs', look: () => takeOver(from, heartbeats) })
}

/** Returns whether other nodes run jobs. */
async function takeOver(from: TakeOver, heartbeats: Map<string, Heartbeat>): Promise<boolean> {
  const { db, node, nodes } = from
  const jobs = await runningElsewhere(db, node)
  const dead = new Set(await nodes.dead([...new Set(jobs.map((job) => job.node))]))
  const time = performance.now()
  // Heartbeats are compared with themselves, not with a clock: those of the nodes may differ.
  const silent = (id: string, value: number | null): boolean => {
    const last = heartbeats.get(id)
    return last?.value === value && time - last.seenAt > maxSilence
  }
  const lost = jobs.filter((job) => dead.has(job.node) || silent(job.id, job.heartbeat_at))
  for (const id of heartbeats.keys()) if (!jobs.some((job) => job.id === id)) heartbeats.delete(id)
  for (const { id, heartbeat_at: value } of jobs) {
    if (heartbeats.get(id)?.value !== value) heartbeats.set(id, { value, seenAt: time })
  }
  if (lost.length > 0 && (await requeueJobs(db, lost)) > 0) from.requeued()
  return jobs.length > 0
}

/** Requeues the jobs of all other processes, for a database that only this process can use. */
export async function takeOverAll(db: Db, node: string): Promise<void> {
  const jobs = await runningElsewhere(db, node)
  if (jobs.length > 0) await requeueJobs(db, jobs)
}
