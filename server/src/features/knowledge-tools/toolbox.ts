import type { Toolbox, ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { search } from '../indexes/search.ts'
import { sourceStatuses } from '../knowledge-sources/contents.ts'
import { traitsOfSources } from '../knowledge-sources/service.ts'
import { knowledgeTool } from './agent-tool.ts'
import { hiddenTools } from './hidden.ts'
import { retrievalWith } from './service.ts'
import { tableTools } from './tables/agent-tools.ts'
import { type KnowledgeTools, sourceIds, type ToolRow } from './tools.ts'

/** How agents get one kind of tools. */
export function knowledgeToolbox({ prefix, find }: KnowledgeTools): Toolbox {
  const visibleTools = async (ctx: Context, who: Caller, ids: readonly string[]): Promise<ToolRow[]> => {
    const tools = (await Promise.all(ids.map((id) => find(ctx.db, who, id)))).filter((tool) => tool !== undefined)
    const hidden = await hiddenTools(ctx, who, tools)
    return tools.filter((tool) => !hidden.includes(tool))
  }

  return {
    prefix,
    tools: async (ctx, who, ids) =>
      (await visibleTools(ctx, who, ids)).flatMap((tool) => [
        knowledgeTool(
          tool,
          async (query, signal, purpose) =>
            search(ctx, who, tool.id, await retrievalWith(ctx, who, tool, query), signal, purpose),
          async () => (await sourceStatuses(ctx.db, who.workspace, sourceIds(tool))).includes('syncing'),
        ),
        ...(tool.tables ? tableTools(ctx, who, tool) : []),
      ]),
    async traits(ctx, who, ids) {
      const traits = new Map<string, ToolTraits>()
      for (const tool of await visibleTools(ctx, who, ids)) {
        traits.set(tool.id, await traitsOfSources(ctx, who, sourceIds(tool)))
      }
      return traits
    },
  }
}
