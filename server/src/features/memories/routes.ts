import { type Static, Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Done, done, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { Nullable } from '../../kernel/schema.ts'
import { Memory, MemorySettings, MemoryVersion } from './schema.ts'
import { memories } from './service.ts'
import { changeSettings, readSettings } from './settings.ts'

const tag = 'Memories'
const tags = [tag]

const RemovalQuery = Type.Object(
  {
    user_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The person. Required for administrators; for others their own, which is the default.',
      }),
    ),
  },
  { additionalProperties: false },
)

export function routes(app: App, ctx: Context): void {
  resourceRoutes(app, ctx, {
    path: '/memories',
    title: 'Memory',
    tag,
    shape: Memory,
    computed: ['source'],
    service: memories,
    read: 'converse',
    write: 'converse',
    createErrors: ['unknown_reference', 'forbidden'],
    example: { content: 'Prefers short answers.', user_id: 'ada' },
    change: { content: 'Prefers short answers with examples.' },
  })

  app.delete(
    '/memories',
    {
      config: { may: 'converse' },
      schema: {
        tags,
        summary: 'Delete all memories about a person',
        querystring: RemovalQuery,
        response: { 200: Done },
        errors: ['forbidden'],
      },
    },
    async (request) => {
      const { user_id } = request.query as Static<typeof RemovalQuery>
      const count = await memories.removeAll(ctx, request.caller, user_id)
      return done(count === 1 ? '1 memory was deleted.' : `${count} memories were deleted.`)
    },
  )

  app.get(
    '/memories/:id/versions',
    {
      config: { may: 'converse' },
      schema: {
        tags,
        summary: 'List the earlier facts that a memory has replaced',
        params: ById,
        response: { 200: Ok(Type.Array(MemoryVersion)) },
      },
    },
    async (request) => ok(await memories.versions(ctx, request.caller, request.params.id)),
  )

  app.post(
    '/memories/:id/undo',
    {
      config: { may: 'converse' },
      schema: {
        tags,
        summary: 'Take back the last change of a memory',
        description:
          'Brings back the fact that it has replaced. A memory that has replaced none is deleted, and `data` is null.',
        params: ById,
        response: { 200: Ok(Nullable(Memory)) },
      },
    },
    async (request) => ok(await memories.undo(ctx, request.caller, request.params.id)),
  )

  app.get(
    '/memory-settings',
    {
      config: { may: 'converse' },
      schema: { tags, summary: 'Get the memory settings of the workspace', response: { 200: Ok(MemorySettings) } },
    },
    async (request) => ok(await readSettings(ctx, request.caller)),
  )

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/memory-settings',
      config: { may: 'administer' },
      schema: {
        tags,
        summary: `Turn memory on or off for the workspace${method === 'PATCH' ? ' (the same as PUT)' : ''}`,
        body: MemorySettings,
        response: { 200: Ok(MemorySettings) },
      },
      handler: async (request) => ok(await changeSettings(ctx, request.caller, request.body as MemorySettings)),
    })
  }
}
