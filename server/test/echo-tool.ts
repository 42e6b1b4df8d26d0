import { Type } from 'typebox'
import type { Toolbox } from '../src/kernel/agent/tools.ts'
import type { Feature } from '../src/kernel/feature.ts'
import { identity, Name, timestamps } from '../src/kernel/schema.ts'
import { collection } from '../src/kernel/store/collection.ts'
import type { Service } from './harness.ts'

const shape = Type.Object({ ...identity('dlv'), name: Name, ...timestamps }, { title: 'Echo' })
const rows = collection({ name: 'echo_tool', shape, prefix: 'dlv', kind: 'echo tool' })
const toolboxes = new Map<string, Omit<Toolbox, 'prefix'>>()

/** Each workspace has a toolbox of its own, so that tests can share a service with this feature. */
const feature: Feature = {
  name: 'echo',
  resources: [rows],
  toolboxes: [
    {
      prefix: 'dlv',
      tools: async (ctx, who, ids) => (await toolboxes.get(who.workspace)?.tools(ctx, who, ids)) ?? [],
      traits: async (ctx, who, ids) => (await toolboxes.get(who.workspace)?.traits?.(ctx, who, ids)) ?? new Map(),
    },
  ],
  migrations: [
    {
      name: '2026-11-15-99-echo',
      async up(db) {
        await db.schema
          .createTable('echo_tool')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('workspace_id', 'text', (column) => column.notNull())
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('revision', 'integer', (column) => column.notNull())
          .addColumn('created_at', 'text', (column) => column.notNull())
          .addColumn('updated_at', 'text', (column) => column.notNull())
          .execute()
      },
    },
  ],
}

/** A tool that returns its input, for tests of agents with tools. The tools in `needApproval` need approval. */
export function echoTool(needApproval: string[] = [], details: Partial<Pick<Toolbox, 'tools' | 'traits'>> = {}) {
  const calls: unknown[] = []
  const tools: Toolbox['tools'] = async (_ctx, _who, ids) =>
    ids.map((id, index) => {
      const name = index === 0 ? 'echo' : `echo_${index}`
      return {
        id,
        name,
        description: 'Returns its input.',
        parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        ...(needApproval.includes(name) && { requiresApproval: true }),
        async run(input) {
          calls.push(input)
          const { text, fail } = input as { text: string; fail?: boolean }
          if (fail) throw new Error('it would not')
          return { content: text }
        },
      }
    })
  return {
    feature,
    calls,
    async create({ ctx, get }: Pick<Service, 'ctx' | 'get'>): Promise<string> {
      const workspace = (await get('/workspaces')).body.data[0].id
      toolboxes.set(workspace, { tools, ...details })
      const who = { workspace, role: 'owner', token: 'test', userId: null, groups: [], rateLimit: null } as const
      return (await rows.create(ctx, who, { name: 'echo' })).id
    },
  }
}
