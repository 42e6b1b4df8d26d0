import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import { AuditChain, type ChainStore } from './audit-chain.ts'
import type { UnsealedEntry } from './audit-key.ts'

/** Entries are sealed this many milliseconds after they were written, many at a time. */
const sealAfter = 100

/** Signs audit entries as they are written, and seals them soon after. */
export class AuditLog {
  readonly chain: AuditChain
  readonly #log: Logger
  readonly #workspaces = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #sealing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(chain: AuditChain, log: Logger) {
    this.chain = chain
    this.#log = log
  }

  /** The signature of an entry that is about to be stored. */
  sign(entry: UnsealedEntry): string {
    this.#workspaces.add(entry.workspace_id)
    this.#schedule()
    return this.chain.key.sign(entry)
  }

  /** Seals the last entries. If that fails, the next start seals them. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#sealing
    await this.#sealWritten()
  }

  #schedule(): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#sealing = this.#sealWritten().finally(() => {
        this.#timer = undefined
        if (this.#workspaces.size > 0) this.#schedule()
      })
    }, sealAfter)
    this.#timer.unref()
  }

  /** A transaction that takes longer is left to the job that seals everything from time to time. */
  async #sealWritten(): Promise<void> {
    const workspaces = [...this.#workspaces]
    this.#workspaces.clear()
    for (const workspace of workspaces) {
      await this.chain
        .seal(workspace)
        .catch((error) => this.#log.warn({ workspace, error: reason(error) }, 'audit entries are sealed later'))
    }
  }
}

export const openAuditLog = async (
  store: ChainStore,
  secrets: Parameters<typeof AuditChain.open>[1],
  log: Logger,
): Promise<AuditLog> => new AuditLog(await AuditChain.open(store, secrets), log)
