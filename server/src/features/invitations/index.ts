import { forbidden } from '../../kernel/errors.ts'
import type { Feature } from '../../kernel/feature.ts'
import { created, Ok } from '../../kernel/http/envelope.ts'
import { isSameOrigin, publicOrigin } from '../../kernel/http/origin.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readSessionSecret, setSessionCookie } from '../../kernel/http/session-cookie.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { Session } from '../sessions/schema.ts'
import { cookieMaxAge } from '../sessions/service.ts'
import { defineMailJob, sealedMail } from './mail.ts'
import { invitationMailMigration, invitationMigration } from './migrations.ts'
import { AcceptInvitation, CreatedInvitation, Invitation } from './schema.ts'
import { invitations as service } from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    invitation: Omit<Stored<Invitation>, 'groups'> & {
      workspace_id: string
      groups: string
      hash: string
      mail_sealed: string | null
    }
  }
}

const tag = 'Invitations'

/** People join by a link that works once. */
export const invitations: Feature = {
  name: 'invitations',
  migrations: [invitationMigration, invitationMailMigration],
  sealed: [sealedMail],
  resources: [service],
  personalData: [
    {
      table: 'invitation',
      person: 'user_id',
      exported: { file: 'invitations.jsonl', columns: ['id', 'role', 'groups', 'email', 'created_at', 'accepted_at'] },
      erased: 'rows',
      counted: 'invitations',
    },
  ],
  jobs: defineMailJob,
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/invitations',
      title: 'Invitation',
      tag,
      shape: Invitation,
      createdShape: CreatedInvitation,
      service,
      present: (row, _who, request) =>
        'code' in row
          ? {
              ...row,
              link: `${publicOrigin(ctx.config, request)}/invitation#code=${row.code}${row.user_id === null ? '' : '&again'}`,
            }
          : row,
      read: 'administer',
      write: 'administer',
      example: { role: 'user', groups: ['finance'], email: 'ada@example.com', expires_at: '2030-01-01T00:00:00Z' },
    })

    app.post(
      '/invitations/accept',
      {
        config: { may: 'public' },
        schema: {
          tags: [tag],
          summary: 'Accept an invitation',
          description:
            'Starts a session of this browser as the invited person, as `POST /auth/session` does with a token. The code works once.',
          body: AcceptInvitation,
          response: { 201: Ok(Session) },
          responseHeaders: { 'Set-Cookie': 'The session cookie.' },
          errors: ['not_found', 'forbidden', 'overloaded'],
        },
      },
      async (request, reply) => {
        if (!isSameOrigin(request)) forbidden('Accept from a page of this service: another origin sent this request.')
        const replaces = readSessionSecret(request)
        const { secret, session } = await service.accept(ctx, request.body, { replaces, requestId: request.id })
        setSessionCookie(request, reply, secret, cookieMaxAge(true))
        return created(reply, session)
      },
    )
  },
}
