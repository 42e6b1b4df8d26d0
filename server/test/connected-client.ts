import { createClientToken, findHolder, type Holder } from '../src/features/tokens/index.ts'
import type { Service } from './harness.ts'

/** The id of a program that whoever sends the requests has connected to the MCP server. */
export async function connectedClient({ ctx, get }: Pick<Service, 'ctx' | 'get'>): Promise<string> {
  const { workspace, token } = (await get('/me')).body.data
  const person = (await findHolder(ctx, ctx.db, workspace.id, token.id)) as Holder
  return (await createClientToken(ctx, ctx.db, person, { name: 'Claude', host: 'claude.example' })).id
}
