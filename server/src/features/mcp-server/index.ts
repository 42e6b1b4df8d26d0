import type { Feature } from '../../kernel/feature.ts'
import { mcpNameMigration } from './migrations.ts'
import { routes } from './routes.ts'

export * from './agent-tools.ts'

/** An MCP server over streamable HTTP: the agents and tools of a workspace as MCP tools. */
export const mcpServer: Feature = { name: 'mcp-server', migrations: [mcpNameMigration], routes }
