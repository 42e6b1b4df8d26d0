import type { Feature } from '../../kernel/feature.ts'
import { hour } from '../../kernel/time.ts'
import { Accounts } from './accounts/accounts.ts'
import { removeExpiredFlows, sealedConnections } from './accounts/store.ts'
import { sealedAuth } from './auth/auth.ts'
import { TokenCache } from './auth/token-cache.ts'
import { McpConnections } from './mcp/connection.ts'
import {
  apiToolMigration,
  connectionMigration,
  requiredScopesMigration,
  workspaceAccountMigration,
} from './migrations.ts'
import { routes } from './routes.ts'
import { Sandbox } from './sandbox.ts'
import { apiTools as service } from './service.ts'
import { toolbox } from './toolbox.ts'

export * from './sandbox.ts'
export * from './service.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    'api-tools': { tokens: TokenCache; accounts: Accounts; mcp: McpConnections; sandbox: Sandbox }
  }
}

export const apiTools: Feature = {
  name: 'api-tools',
  migrations: [apiToolMigration, connectionMigration, requiredScopesMigration, workspaceAccountMigration],
  sealed: [sealedAuth, ...sealedConnections],
  resources: [service],
  personalData: [
    { table: 'api_tool', users: 'approvers', counted: 'access_lists' },
    {
      table: 'connection',
      person: 'user_id',
      exported: {
        file: 'connections.jsonl',
        columns: ['id', 'tool_id', 'issuer', 'scopes', 'status', 'connected_at', 'last_used_at'],
        json: ['scopes'],
      },
      erased: 'rows',
      counted: 'connections',
    },
    { table: 'connection_flow', person: 'user_id', erased: 'rows', counted: 'connections' },
  ],
  toolboxes: [toolbox],
  state: (ctx) => ({
    tokens: new TokenCache(ctx),
    accounts: new Accounts(ctx),
    mcp: new McpConnections(ctx),
    sandbox: new Sandbox(),
  }),
  jobs: (ctx) => ctx.jobs.define({ queue: 'connections.tidy', every: hour, run: () => removeExpiredFlows(ctx) }),
  async close(ctx) {
    const { mcp, sandbox } = ctx.state['api-tools']
    await mcp.close()
    await sandbox.close()
  },
  routes,
}
