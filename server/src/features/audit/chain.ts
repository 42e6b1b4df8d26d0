import { sql } from 'kysely'
import type { Secrets } from '../../kernel/secrets/secrets.ts'
import { type Commits, Conflict, runStatements, type Statement } from '../../kernel/store/commits.ts'
import { type Db, isPostgres } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import { type AuditKey, readAuditKey } from './key.ts'
import { type AuditRow, type ChainRow, firstHash } from './migrations.ts'

const batchSize = 200
const maxConflicts = 20

export type Chain = Omit<ChainRow, 'mac'>

export const emptyChain = (workspace: string): Chain => ({
  workspace_id: workspace,
  sequence: 0,
  hash: firstHash,
  anchor_sequence: 0,
  anchor_hash: firstHash,
})

export interface ChainStore {
  db: Db
  commits: Commits
}

/**
 * The chains of audit entries, one per workspace. Entries are stored unsealed with the change, so that requests do not wait
 * for each other. Sealing gives them their place in the chain and the hash of the chain up to them.
 */
export class AuditChain {
  readonly #store: ChainStore
  readonly key: AuditKey

  private constructor(store: ChainStore, key: AuditKey) {
    this.#store = store
    this.key = key
  }

  static async open(store: ChainStore, secrets: Secrets): Promise<AuditChain> {
    return new AuditChain(store, await readAuditKey(store.db, secrets))
  }

  /** Starts the chain of a new workspace at once: a workspace without a chain is then a sign of tampering. */
  async start(tx: Db, workspace: string): Promise<void> {
    const chain = emptyChain(workspace)
    await tx
      .insertInto('audit_chain')
      .values({ ...chain, mac: this.key.authenticate(chain) })
      .execute()
  }

  /** Signs the chains that a migration has started. */
  async signStarted(): Promise<void> {
    const started = await this.#store.db.selectFrom('audit_chain').selectAll().where('mac', '=', '').execute()
    for (const { mac, ...chain } of started) await this.#store.commits.commit([this.change({ mac }, chain)])
  }

  /** Seals the entries of a workspace. Any number of nodes may do so at once. */
  seal(workspace: string): Promise<void> {
    const { db, commits } = this.#store
    return this.#seal(workspace, db, (statements) => commits.commit(statements))
  }

  /** Seals the entries of a workspace in a transaction. Others wait until it ends. */
  sealIn(tx: Db, workspace: string): Promise<void> {
    return this.#seal(workspace, tx, (statements) => runStatements(tx, statements))
  }

  async #seal(workspace: string, db: Db, commit: (statements: Statement[]) => Promise<void>): Promise<void> {
    for (let conflicts = 0; ; ) {
      try {
        const { statements, isLast } = await this.#nextBatch(db, workspace)
        if (statements.length > 0) await commit(statements)
        if (isLast) return
      } catch (error) {
        if (!(error instanceof Conflict) || ++conflicts > maxConflicts) throw error // another node was first
      }
    }
  }

  async sealAll(): Promise<void> {
    for (const workspace of await withUnsealed(this.#store.db)) await this.seal(workspace)
  }

  isAuthentic({ mac, ...chain }: ChainRow): boolean {
    return this.key.authenticate(chain) === mac
  }

  /** Changes the state of a chain if it is as it was read. */
  change(before: Pick<ChainRow, 'mac'>, after: Chain): Statement {
    const { workspace_id, ...changes } = { ...after, mac: this.key.authenticate(after) }
    const change = this.#store.db.updateTable('audit_chain').set(changes)
    return statement(change.where('workspace_id', '=', workspace_id).where('mac', '=', before.mac), 1)
  }

  async #nextBatch(db: Db, workspace: string): Promise<{ statements: Statement[]; isLast: boolean }> {
    const stored = await findChain(db, workspace)
    const entries = await unsealed(db, workspace)
    if (entries.length === 0) return { statements: [], isLast: true }
    const isCut = !stored || !this.isAuthentic(stored)
    const lastSequence = isCut ? await maxSequence(db, workspace) : stored.sequence
    const before = stored ?? { ...emptyChain(workspace), mac: '' }
    let hash = isCut ? firstHash : before.hash
    let sequence = Math.max(before.sequence, lastSequence)
    const links = entries.map((entry, index) => {
      sequence++
      const mark = isCut && index === 0 ? 'cut' : this.key.isSigned(entry) ? 'sealed' : 'inserted'
      hash = this.key.link(mark, hash, { ...entry, sequence })
      return { id: entry.id, sequence, hash }
    })
    const { mac, ...chain } = before
    return {
      statements: [
        ...(stored ? [] : [this.#insert(before)]),
        this.change(before, { ...chain, sequence, hash }),
        this.#setLinks(workspace, links),
      ],
      isLast: entries.length < batchSize,
    }
  }

  #insert(chain: ChainRow): Statement {
    const insert = this.#store.db.insertInto('audit_chain').values(chain)
    return statement(insert.onConflict((conflict) => conflict.doNothing()))
  }

  /** One statement for all of them. */
  #setLinks(workspace: string, links: readonly Link[]): Statement {
    const change = this.#store.db
      .updateTable('audit_entry')
      .from(rowsOfLinks(links))
      .set((is) => ({ sequence: is.ref('link.column2'), hash: is.ref('link.column3') }))
      .where('audit_entry.workspace_id', '=', workspace)
      .whereRef('audit_entry.id', '=', 'link.column1')
      .where('audit_entry.sequence', 'is', null)
    return statement(change, links.length)
  }
}

/** The place of an entry in the chain. */
interface Link {
  id: string
  sequence: number
  hash: string
}

/** Columns of VALUES have the same names on both engines. */
function rowsOfLinks(links: readonly Link[]) {
  const rows = links.map(({ id, sequence, hash }) => sql`(${id}, cast(${sequence} as bigint), ${hash})`)
  return sql<{ column1: string; column2: number; column3: string }>`(values ${sql.join(rows)})`.as<'link'>(sql`link`)
}

/** The state of a chain. In a transaction on Postgres, nobody else can change it until that ends. */
export async function findChain(db: Db, workspace: string): Promise<ChainRow | undefined> {
  const query = db.selectFrom('audit_chain').selectAll().where('workspace_id', '=', workspace)
  return (db.isTransaction && isPostgres(db) ? query.forUpdate() : query).executeTakeFirst()
}

/** Ordered by id, and so by time. An entry whose transaction takes longer is sealed later. */
const unsealed = (db: Db, workspace: string): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('sequence', 'is', null)
    .orderBy('id')
    .limit(batchSize)
    .execute()

export async function maxSequence(db: Db, workspace: string): Promise<number> {
  const last = await db
    .selectFrom('audit_entry')
    .select('sequence')
    .where('workspace_id', '=', workspace)
    .where('sequence', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.sequence ?? 0
}

async function withUnsealed(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('workspace_id')
    .distinct()
    .where('sequence', 'is', null)
    .execute()
  return rows.map(({ workspace_id }) => workspace_id)
}
