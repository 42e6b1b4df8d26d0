import { Type } from 'typebox'
import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { Found, SearchQuery } from './schema.ts'
import { search as find } from './service.ts'

/** One search over everything in a workspace. */
export const search: Feature = {
  name: 'search',
  routes(app, ctx) {
    app.get(
      '/search',
      {
        config: { may: 'see-status' },
        schema: {
          tags: ['Search'],
          summary: 'Find anything by name, and conversations by what was said',
          description: 'Only what your role may read. To search the content of documents, query a tool.',
          querystring: SearchQuery,
          response: { 200: Ok(Type.Array(Found)) },
        },
      },
      async (request) => ok(await find(ctx, request.caller, request.query)),
    )
  },
}
