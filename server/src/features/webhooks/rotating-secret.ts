import type { Context } from '../../kernel/context.ts'
import type { Sealed } from '../../kernel/secrets/sealed.ts'
import { day } from '../../kernel/time.ts'

/** The columns of a secret that signs webhooks. */
export type SecretColumns = {
  secret_sealed: string
  /** JSON of `PreviousSecret[]`, newest first. */
  previous_secrets: string
}
interface PreviousSecret {
  sealed: string
  until: number
}

/** A replaced secret stays valid for a day, so that the other side can switch without losing webhooks. */
const previousSecretTtl = day
const maxPreviousSecrets = 5

const parse = (previous: unknown): PreviousSecret[] => JSON.parse(previous as string) as PreviousSecret[]

/** The secret of each row of a table. */
export function rotatingSecret(table: 'webhook' | 'trigger') {
  const context = (workspace: unknown, id: unknown): string => `${workspace} ${table} ${id} secret`
  const validPrevious = ({ previous_secrets }: SecretColumns, now: number): PreviousSecret[] =>
    parse(previous_secrets).filter(({ until }) => until > now)

  const sealed: Sealed = {
    table,
    columns: ['secret_sealed', 'previous_secrets'],
    change(row, change) {
      const own = context(row.workspace_id, row.id)
      const previous = parse(row.previous_secrets).map((each) => ({ ...each, sealed: change(each.sealed, own) }))
      return {
        secret_sealed: change(row.secret_sealed as string, own),
        previous_secrets: JSON.stringify(previous),
      }
    },
  }

  return {
    sealed,

    first: ({ secrets }: Context, workspace: string, id: string, secret: string): SecretColumns => ({
      secret_sealed: secrets.seal(secret, context(workspace, id)),
      previous_secrets: '[]',
    }),

    rotate(ctx: Context, workspace: string, row: SecretColumns & { id: string }, secret: string): SecretColumns {
      const replaced = { sealed: row.secret_sealed, until: ctx.now() + previousSecretTtl }
      const previous = [replaced, ...validPrevious(row, ctx.now())].slice(0, maxPreviousSecrets)
      return {
        secret_sealed: ctx.secrets.seal(secret, context(workspace, row.id)),
        previous_secrets: JSON.stringify(previous),
      }
    },

    /** The secrets that are valid now, newest first. */
    open(ctx: Context, workspace: string, row: SecretColumns & { id: string }): string[] {
      const all = [row.secret_sealed, ...validPrevious(row, ctx.now()).map((each) => each.sealed)]
      return all.map((each) => ctx.secrets.open(each, context(workspace, row.id)))
    },
  }
}
