import { createHash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    /** Every name that a client has ever seen, and what it calls. Rows are never changed or deleted. */
    mcp_name: { workspace_id: string; name: string; target: string }
  }
}

interface Named {
  /** The agent or tool that a call of this name reaches. */
  target: string
  /** The name it should have. */
  preferred: string
}

/** Targets by name. */
export type Names = ReadonlyMap<string, string>

const maxNameLength = 64
const maxRowsPerInsert = 1000

/**
 * Gives every target a name of its own: the preferred one, unless it ever belonged to another target. Clients keep names,
 * so a name is never reassigned. Returns the current names in the order of `all`, and all names that were ever given.
 */
export async function assignNames(ctx: Context, workspace: string, all: Named[]): Promise<[string[], Names]> {
  for (;;) {
    const known = await readNames(ctx, workspace)
    const taken = new Map(known)
    const names = all.map((each) => {
      const name = freeName(each, taken)
      taken.set(name, each.target)
      return name
    })
    const added = [...taken].filter(([name]) => !known.has(name))
    if (added.length === 0) return [names, known]
    const rows = added.slice(0, maxRowsPerInsert).map(([name, target]) => ({ workspace_id: workspace, name, target }))
    await ctx.db
      .insertInto('mcp_name')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()) // another request may have given the name just now
      .execute()
  }
}

async function readNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('mcp_name')
    .select(['name', 'target'])
    .where('workspace_id', '=', workspace)
    .execute()
  return new Map(rows.map(({ name, target }) => [name, target]))
}

function freeName({ preferred, target }: Named, taken: Names): string {
  const hash = createHash('sha256').update(target).digest('hex')
  const isFree = (name: string) => (taken.get(name) ?? target) === target
  let name = preferred
  for (let length = 6; !isFree(name); length++)
    name = `${preferred.slice(0, maxNameLength - 1 - length)}_${hash.slice(0, length)}`
  return name
}
