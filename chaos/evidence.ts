import type { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Acknowledged, Scene } from './load.ts'
import type { CountingProvider } from './provider.ts'
import type { WebhookReceiver } from './receiver.ts'

/** Everything that an audit compares. */
export interface Evidence {
  cluster: Cluster
  client: Client
  scene: Scene
  acknowledged: Acknowledged
  provider: CountingProvider
  receiver: WebhookReceiver
}

/** The result of checking one invariant. */
export interface Finding {
  /** The violation that was looked for, such as "messages doubled". */
  name: string
  /** How many things were compared. */
  checked: number
  /** One line for each violation. */
  faults: string[]
}
