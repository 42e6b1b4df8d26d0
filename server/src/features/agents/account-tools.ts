import { type Static, Type } from 'typebox'
import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { Choice } from '../../kernel/schema.ts'
import { allRows } from '../../kernel/store/list.ts'
import { findTargetIds } from '../../kernel/store/references.ts'
import { apiTools } from '../api-tools/service.ts'
import { agents } from './service.ts'

export const AccountTool = Type.Object(
  {
    tool_id: Type.String(),
    tool_name: Type.String(),
    account: Choice(['user', 'workspace'], { description: 'Whose account it uses.' }),
    connected: Type.Boolean({ description: 'False: the next call asks to connect an account.' }),
  },
  {
    title: 'AccountTool',
    examples: [{ tool_id: 'api_01k9z8q4m6e3v7t2w5x8y1a4bc', tool_name: 'calendar', account: 'user', connected: false }],
  },
)
type AccountTool = Static<typeof AccountTool>

/**
 * The tools that the caller can connect an account to. The role `user` gets those of the agents that it sees. That includes
 * the tools of agents that these ask, because an agent asks another one only if the person sees it.
 */
export async function accountTools(ctx: Context, who: Caller): Promise<AccountTool[]> {
  const { userId } = who.seenAs ?? who
  const rows = await apiTools.first(ctx, who, { ...allRows({}), sort: 'name', order: 'asc' })
  const usable = isBound(who) ? new Set(await toolsOfSeenAgents(ctx, who)) : null
  const tools = rows.filter(({ id, auth }) => {
    const mayConnect = auth.account === 'workspace' ? mayConnectWorkspace(who) : userId !== null
    return auth.type === 'oauth2' && mayConnect && (usable?.has(id) ?? true)
  })
  const { accounts } = ctx.state['api-tools']
  return Promise.all(
    tools.map(async (tool) => {
      const account = tool.auth.account ?? 'user'
      const connected = await accounts.isConnected(who.workspace, tool, account === 'workspace' ? null : userId)
      return { tool_id: tool.id, tool_name: tool.name, account, connected }
    }),
  )
}

const mayConnectWorkspace = (who: Caller): boolean => !isBound(who) && allows('write-configuration', who.role)

async function toolsOfSeenAgents(ctx: Context, who: Caller): Promise<string[]> {
  const seen = await agents.first(ctx, who, allRows({ status: 'active' }, ['id']))
  return findTargetIds(
    ctx.db,
    who.workspace,
    seen.map(({ id }) => id),
  )
}
