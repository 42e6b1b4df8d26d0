import type { Feature } from '../../kernel/feature.ts'
import { sealedAuth } from './auth/auth.ts'
import { TokenCache } from './auth/token-cache.ts'
import { McpConnections } from './mcp/connection.ts'
import { apiToolMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { apiTools as service } from './service.ts'
import { toolbox } from './toolbox.ts'

export * from './sandbox/sandbox.ts'
export * from './service.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    'api-tools': { tokens: TokenCache; mcp: McpConnections; sandbox: Sandbox }
  }
}

export const apiTools: Feature = {
  name: 'api-tools',
  migrations: [apiToolMigration],
  sealed: [sealedAuth],
  resources: [service],
  personalData: [{ table: 'api_tool', users: 'approvers', counted: 'access_lists' }],
  toolboxes: [toolbox],
  state: (ctx) => ({ tokens: new TokenCache(ctx), mcp: new McpConnections(ctx), sandbox: new Sandbox() }),
  async close(ctx) {
    const { mcp, sandbox } = ctx.state['api-tools']
    await mcp.close()
    await sandbox.close()
  },
  routes,
}
