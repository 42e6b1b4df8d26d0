import type { AuditedChange, AuditLog } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db } from '../../kernel/store/database.ts'
import { prepared } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import { AuditChain } from './chain.ts'
import type { UnsealedEntry } from './key.ts'
import { type AuditRow, startedChainsMigration } from './migrations.ts'

declare module '../../kernel/audit.ts' {
  interface AuditLog {
    readonly chain: AuditChain
  }
}

/** Entries are sealed this many milliseconds after they were written, many at a time. */
const sealAfter = 100

type Parts = Pick<Context, 'db' | 'commits' | 'secrets' | 'now' | 'newId' | 'log'>

const insertEntry = prepared((db, entry: AuditRow) => db.insertInto('audit_entry').values(entry))

/** Signs audit entries as they are written, and seals them soon after. */
class SignedLog implements AuditLog {
  readonly chain: AuditChain
  readonly #parts: Parts
  readonly #workspaces = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #sealing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(chain: AuditChain, parts: Parts) {
    this.chain = chain
    this.#parts = parts
  }

  async record(tx: Db, who: Caller, change: AuditedChange): Promise<void> {
    const entry = this.#toEntry(who, change)
    if (entry) await tx.insertInto('audit_entry').values(entry).execute()
  }

  statements(who: Caller, change: AuditedChange): Statement[] {
    const entry = this.#toEntry(who, change)
    return entry ? [insertEntry(this.#parts.db, entry)] : []
  }

  /** Seals the last entries. If that fails, the next start seals them. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#sealing
    await this.#sealWritten()
  }

  /** Returns null for changes that no request makes. */
  #toEntry(who: Caller, { action, kind, id, part = null, fields = [] }: AuditedChange): AuditRow | null {
    if (who.requestId === undefined) return null
    who.audited = true
    const entry: UnsealedEntry = {
      id: this.#parts.newId('aud'),
      workspace_id: who.workspace,
      // The database replaces lone surrogates. An entry that differs from the signed one would count as forged.
      token_id: who.token.toWellFormed(),
      token_name: who.name?.toWellFormed() ?? null,
      role: who.role,
      user_id: who.userId?.toWellFormed() ?? null,
      action,
      kind,
      resource_id: id,
      part_id: part,
      fields: JSON.stringify(fields),
      request_id: who.requestId,
      created_at: timestamp(this.#parts.now()),
    }
    this.#workspaces.add(who.workspace)
    this.#schedule()
    return { ...entry, sequence: null, hash: this.chain.key.sign(entry) }
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
        .catch((error) => this.#parts.log.warn({ workspace, error: reason(error) }, 'audit entries are sealed later'))
    }
  }
}

/** `migrated`: the migrations that this start has run. */
export async function openAuditLog(parts: Parts, migrated: readonly string[]): Promise<AuditLog> {
  const chain = await AuditChain.open(parts, parts.secrets)
  // Only then, so that nobody can have a chain signed that they have put into the database.
  if (migrated.includes(startedChainsMigration.name)) await chain.signStarted()
  return new SignedLog(chain, parts)
}
