import type { ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { knowledgeSources } from './service.ts'

/** What a tool over these sources can do with data: the web is public, and anybody writes there; the rest is the workspace's own. */
export async function traitsOfSources(ctx: Context, who: Caller, ids: string[]): Promise<ToolTraits> {
  const found = await Promise.all(ids.map((id) => knowledgeSources.find(ctx.db, who, id)))
  const types = found.flatMap((source) => source?.type ?? [])
  return { readsPrivate: types.some((type) => type !== 'web'), readsUntrusted: types.includes('web') }
}
