import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { PageQuery } from '../../kernel/store/list.ts'
import { exportContent } from './export.ts'
import { startJob, userJobs } from './jobs.ts'
import { computed, User, UserJob, UserName } from './schema.ts'
import { users } from './service.ts'

const tag = 'Users'
const config = { may: 'administer' } as const
const access = { read: 'administer', write: 'administer' } as const

export function routes(app: App, ctx: Context): void {
  resourceRoutes(app, ctx, {
    path: '/users',
    title: 'User',
    tag,
    shape: User,
    computed,
    filters: { group: Type.Optional(Type.String({ maxLength: 200, description: 'Only users in this group.' })) },
    service: users,
    ...access,
    example: { user_id: 'ada', groups: ['finance'] },
  })

  app.get(
    '/users/names',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: [tag],
        summary: 'List the names of users',
        description:
          'Editors choose people from this list, and see names instead of user IDs. The last seen come first.',
        querystring: PageQuery,
        response: { 200: Listed(UserName) },
      },
    },
    async (request) => listed(await users.names(ctx, request.caller, request.query), request.query),
  )

  resourceRoutes(app, ctx, {
    path: '/user-jobs',
    title: 'UserJob',
    tag,
    shape: UserJob,
    service: userJobs,
    ...access,
    example: { kind: 'erase', status: 'completed' },
  })

  app.get(
    '/user-jobs/:id/content',
    {
      config,
      schema: {
        tags: [tag],
        summary: 'Download the file of an export',
        description: 'A ZIP archive. It is deleted 24 hours after the export.',
        params: ById,
        content: {
          'application/zip': {
            schema: Type.String({ contentMediaType: 'application/zip' }),
            example: '(the archive)',
          },
        },
        responseHeaders: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    async (request, reply) => {
      const { file, content } = await exportContent(ctx, request.caller, request.params.id)
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-length': file.size,
          'content-disposition': `attachment; filename="${file.name}"`,
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(content)
    },
  )

  app.post(
    '/users/:id/export',
    {
      config,
      schema: {
        tags: [tag],
        summary: 'Export everything of a person',
        description:
          'Starts a job that writes one ZIP archive: conversations with all messages, files, feedback, tokens without secrets, usage by month and audit entries. `GET /user-jobs/{id}` shows when it is done.',
        params: ById,
        response: { 200: Ok(UserJob) },
        errors: ['already_running'],
      },
    },
    async (request) => ok(await startJob(ctx, request.caller, request.params.id, 'export')),
  )

  app.post(
    '/users/:id/erase',
    {
      config,
      schema: {
        tags: [tag],
        summary: 'Erase everything of a person',
        description:
          'Starts a job that cannot be undone. It cancels running replies, deletes conversations, files, tokens and sessions, and replaces the person by a keyed hash in the usage ledger and the audit log. The job with its receipt is kept: `GET /user-jobs/{id}`.',
        params: ById,
        response: { 200: Ok(UserJob) },
      },
    },
    async (request) => ok(await startJob(ctx, request.caller, request.params.id, 'erase')),
  )
}
