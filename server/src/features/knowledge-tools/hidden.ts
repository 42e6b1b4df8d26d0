import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { hiddenSources } from '../knowledge-sources/access/visible.ts'
import { ragTools, retrievalTools, sourceIds, type ToolRow } from './tools.ts'

/** The tools whose sources are all hidden from the caller: even their names would reveal the sources. */
export async function hiddenTools(ctx: Context, who: Caller, tools: readonly ToolRow[]): Promise<ToolRow[]> {
  if (tools.length === 0 || !isBound(who)) return []
  const hidden = await hiddenSources(ctx, who, { among: [...new Set(tools.flatMap(sourceIds))] })
  return tools.filter((tool) => sourceIds(tool).every((id) => hidden.includes(id)))
}

/** Filters the ids to those of hidden tools. */
export async function hiddenToolIds(ctx: Context, who: Caller, ids: readonly string[]): Promise<Set<string>> {
  const find = async (id: string): Promise<ToolRow[]> => {
    const kind = [ragTools, retrievalTools].find(({ prefix }) => id.startsWith(`${prefix}_`))
    return [(await kind?.find(ctx.db, who, id)) ?? []].flat()
  }
  const tools = (await Promise.all([...new Set(ids)].map(find))).flat()
  return new Set((await hiddenTools(ctx, who, tools)).map(({ id }) => id))
}
