import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Secrets } from '../../kernel/secrets/secrets.ts'
import type { Db } from '../../kernel/store/database.ts'
import { type AuditRow, auditKeyContext, type ChainRow } from './migrations.ts'

/**
 * How an entry came into the chain.
 * sealed:   it was signed by the node that wrote it
 * inserted: it was not, so somebody else put it into the database
 * cut:      it is the first entry after somebody else changed the state of the chain
 */
type Mark = 'sealed' | 'inserted' | 'cut'

export type UnsealedEntry = Omit<AuditRow, 'sequence' | 'hash'>
export type SealedEntry = UnsealedEntry & { sequence: number }

const erasedPrefix = 'erased:'
const pseudonymLength = 32
const ownId = /^[a-z]{3}_[0-9a-z]{26}$/

/** Signs audit entries and links them to a chain. */
export class AuditKey {
  readonly #key: KeyObject

  constructor(key: string) {
    this.#key = createSecretKey(key, 'base64url')
  }

  /** The signature of an entry that is not sealed yet. */
  sign(entry: UnsealedEntry): string {
    const { token_id, token_name, user_id, resource_id, part_id } = entry
    return this.#hmac(['entry', token_id, token_name, user_id, resource_id, part_id, ...signedFields(entry)])
  }

  isSigned(entry: UnsealedEntry & Pick<AuditRow, 'hash'>): boolean {
    return entry.hash === this.sign(entry)
  }

  /** The hash of the chain up to an entry. It contains persons as pseudonyms, so that they can be erased. */
  link(mark: Mark, previous: string, entry: SealedEntry): string {
    const { workspace_id, token_id, token_name, user_id, resource_id, part_id } = entry
    const names = [token_id, token_name, user_id, resource_id, part_id].map((name) =>
      name === null ? null : this.pseudonym(workspace_id, name),
    )
    return this.#hmac([mark, previous, entry.sequence, ...names, ...signedFields(entry)])
  }

  authenticate(chain: Omit<ChainRow, 'mac'>): string {
    const { workspace_id, sequence, hash, anchor_sequence, anchor_hash } = chain
    return this.#hmac(['chain', workspace_id, sequence, hash, anchor_sequence, anchor_hash])
  }

  /** Replaces the name of an erased person. IDs of this service identify nobody and stay. */
  pseudonym(workspace: string, name: string): string {
    if (name.startsWith(erasedPrefix) || ownId.test(name)) return name
    return `${erasedPrefix}${this.#hmac(['person', workspace, name]).slice(0, pseudonymLength)}`
  }

  #hmac(parts: readonly unknown[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex')
  }
}

const signedFields = ({ id, workspace_id, role, action, kind, fields, request_id, created_at }: UnsealedEntry) => [
  id,
  workspace_id,
  role,
  action,
  kind,
  fields,
  request_id,
  created_at,
]

/**
 * The key of the chains derives from SECRET_KEY, so nobody can replace it in the database. A database that was filled with
 * another key keeps that one, encrypted; if somebody removes or damages it, its entries no longer verify.
 */
export async function readAuditKey(db: Db, secrets: Secrets): Promise<AuditKey> {
  const row = await db.selectFrom('audit_key').select('key_sealed').executeTakeFirst()
  return new AuditKey((row && open(secrets, row.key_sealed)) ?? derivedKey(secrets))
}

/** Keeps the key of chains that were copied into a database with another SECRET_KEY. */
export async function keepAuditKey(db: Db, { source, target }: { source: Secrets; target: Secrets }): Promise<void> {
  const key = derivedKey(source)
  if (key === derivedKey(target)) return
  await db
    .insertInto('audit_key')
    .values({ id: auditKeyContext, key_sealed: target.seal(key, auditKeyContext) })
    .onConflict((conflict) => conflict.column('id').doNothing()) // the key that was copied is older
    .execute()
}

const derivedKey = (secrets: Secrets): string =>
  Buffer.from(secrets.hash('', auditKeyContext), 'hex').toString('base64url')

function open(secrets: Secrets, sealed: string): string | null {
  try {
    return secrets.open(sealed, auditKeyContext)
  } catch {
    return null
  }
}
