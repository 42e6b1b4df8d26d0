import type { Context } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/http/app.ts'
import { ById, Listed, listed, Ok, ok } from '../../../kernel/http/envelope.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../../kernel/store/list.ts'
import { BySync, Sync } from '../schema.ts'
import { getSync, listSyncs, presentSync, requestSync } from './service.ts'

const tags = ['Knowledge sources']

export function syncRoutes(app: App, ctx: Context): void {
  app.post(
    '/knowledge-sources/:id/sync',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags,
        summary: 'Sync a source',
        description:
          'Reads new and changed documents and removes deleted ones. The record shows the progress. If a change of the source has already started a sync, the response is the record of that sync.',
        params: ById,
        response: { 200: Ok(Sync) },
        errors: ['already_running'],
      },
    },
    async (request) => ok(presentSync(await requestSync(ctx, request.caller, request.params.id))),
  )

  app.get(
    '/knowledge-sources/:id/syncs',
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: 'List the syncs of a source',
        params: ById,
        querystring: listParameters(Sync),
        response: { 200: Listed(Sync) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery)
      const { rows, total } = await listSyncs(ctx, request.caller, request.params.id, query)
      return listed({ rows: rows.map(presentSync), total }, query)
    },
  )

  app.get(
    '/knowledge-sources/:id/syncs/:sync',
    {
      config: { may: 'read-configuration' },
      schema: { tags, summary: 'Get a sync', params: BySync, response: { 200: Ok(Sync) } },
    },
    async (request) => ok(presentSync(await getSync(ctx, request.caller, request.params.id, request.params.sync))),
  )
}
