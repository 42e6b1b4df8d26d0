import { audit } from './audit.ts'
import { Client } from './client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Finding } from './evidence.ts'
import { type FaultName, injectFaults } from './faults.ts'
import { converse, createResources, evaluate, type Load, nothingAcknowledged, upload } from './load.ts'
import { countingProvider } from './provider.ts'
import { seeded } from './random.ts'
import { webhookReceiver } from './receiver.ts'
import { within } from './wait.ts'

export interface Chaos {
  seconds: number
  seed: number
  apis: number
  workers: number
  redis: boolean
  users: number
  /** Left out: all of them, in random order. */
  faults?: FaultName[]
  report(line: string): void
}

/** Longer than it takes to release the reservations of dead processes. */
const settleSeconds = 150

/** Loads a cluster, breaks it, lets it settle, and audits it. */
export async function chaos(options: Chaos): Promise<Finding[]> {
  const { seed, report } = options
  const provider = await countingProvider()
  const receiver = await webhookReceiver()
  const cluster = await startCluster(options)
  try {
    await cluster.whenReady()
    report(`${options.apis} api nodes and ${options.workers} workers are up`)
    const client = new Client(cluster)
    const scene = await createResources(client, provider.url, receiver.url)
    const until = Date.now() + options.seconds * 1000
    let isOver = false
    const acknowledged = nothingAcknowledged()
    const load: Load = { client, scene, acknowledged, random: seeded(seed), isOver: () => isOver }
    const users = Array.from({ length: options.users }, (_, user) => converse(load, user))
    const working = Promise.all([...users, upload(load), evaluate(load)])
    const injected = await injectFaults({ ...cluster, provider }, seeded(seed), until, report, options.faults)
    isOver = true
    report(`faults: ${formatCounts(injected)}`)
    await Promise.race([working, within(60, async () => false)])
    client.giveUp()
    await working
    await cluster.whenReady()
    const hasSettled = await within(settleSeconds, () => isSettled(cluster))
    report(hasSettled ? 'settled' : `not settled after ${settleSeconds} s`)
    report(
      `acknowledged: ${acknowledged.replies.size} replies (${formatCounts([...acknowledged.replies.values()].map(({ status }) => status))}), ${acknowledged.completed.size} conversations completed, ${acknowledged.documents.size} documents, ` +
        `${acknowledged.runs.size} runs; ${acknowledged.refusedByBudget} refused by the budget, ${acknowledged.unanswered} without a final answer; ` +
        `${provider.calls.length} model calls, ${receiver.events.size} webhooks`,
    )
    return await audit({ cluster, client: new Client(cluster), scene, acknowledged, provider, receiver })
  } finally {
    await cluster.close()
    await provider.close()
    receiver.close()
  }
}

const formatCounts = (names: string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} × ${name}`).join(', ')

/** Whether no turn, job, delivery or reservation is open. */
async function isSettled({ query }: Cluster): Promise<boolean> {
  const [open] = await query<Record<string, string>>(
    `select (select count(*) from message where status = 'running')
       + (select count(*) from job where status in ('queued', 'running') and (key is null or key not like 'every %'))
       + (select count(*) from webhook_delivery where status = 'pending')
       + (select count(*) from usage_reservation) as count`,
  )
  return Number(open?.count) === 0
}
