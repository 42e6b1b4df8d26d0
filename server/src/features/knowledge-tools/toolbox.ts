import { isBound } from '../../kernel/access.ts'
import type { Toolbox, ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { search } from '../indexes/search.ts'
import { hiddenSources } from '../knowledge-sources/access/visible.ts'
import { sourceStatuses } from '../knowledge-sources/contents.ts'
import { traitsOfSources } from '../knowledge-sources/service.ts'
import { knowledgeTool } from './agent-tool.ts'
import { retrievalWith } from './service.ts'
import { type KnowledgeTools, sourceIds, type ToolRow } from './tools.ts'

/** How agents get one kind of tools. */
export function knowledgeToolbox({ prefix, find }: KnowledgeTools): Toolbox {
  /** Leaves out tools whose sources are all hidden from the caller, because even their names would reveal the sources. */
  const visibleTools = async (ctx: Context, who: Caller, ids: readonly string[]): Promise<ToolRow[]> => {
    const tools = (await Promise.all(ids.map((id) => find(ctx.db, who, id)))).filter((tool) => tool !== undefined)
    if (tools.length === 0 || !isBound(who)) return tools
    const hidden = await hiddenSources(ctx, who, { among: [...new Set(tools.flatMap(sourceIds))] })
    return tools.filter((tool) => sourceIds(tool).some((id) => !hidden.includes(id)))
  }

  return {
    prefix,
    tools: async (ctx, who, ids) =>
      (await visibleTools(ctx, who, ids)).map((tool) =>
        knowledgeTool(
          tool,
          async (query, signal, purpose) =>
            search(ctx, who, tool.id, await retrievalWith(ctx, who, tool, query), signal, purpose),
          async () => (await sourceStatuses(ctx.db, who.workspace, sourceIds(tool))).includes('syncing'),
        ),
      ),
    async traits(ctx, who, ids) {
      const traits = new Map<string, ToolTraits>()
      for (const tool of await visibleTools(ctx, who, ids)) {
        traits.set(tool.id, await traitsOfSources(ctx, who, sourceIds(tool)))
      }
      return traits
    },
  }
}
