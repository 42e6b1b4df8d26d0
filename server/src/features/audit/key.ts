import { createHmac, randomBytes } from 'node:crypto'
import { ConfigError } from '../../kernel/config.ts'
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
  readonly #key: Buffer

  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64url')
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
 * Reads the key of the chains, or creates it. It is random and stored encrypted, so that the chains stay valid when
 * SECRET_KEY changes.
 */
export async function readAuditKey(tx: Db, secrets: Secrets): Promise<AuditKey> {
  const made = randomBytes(32).toString('base64url')
  await tx
    .insertInto('audit_key')
    .values({ id: auditKeyContext, key_sealed: secrets.seal(made, auditKeyContext) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const { key_sealed } = await tx.selectFrom('audit_key').select('key_sealed').executeTakeFirstOrThrow()
  return open(secrets, key_sealed)
}

function open(secrets: Secrets, sealed: string): AuditKey {
  try {
    return new AuditKey(secrets.open(sealed, auditKeyContext))
  } catch {
    throw new ConfigError(
      'The key of the audit log cannot be decrypted with SECRET_KEY. Restore the table audit_key from a backup.',
    )
  }
}
