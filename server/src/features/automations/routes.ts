import { Type } from 'typebox'
import { isBound } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readShape } from '../../kernel/schema.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { runNow } from './execution/due.ts'
import { fire } from './execution/fire.ts'
import { AutomationRun, TriggerRun } from './runs/schema.ts'
import { listRuns, presentRun } from './runs/store.ts'
import { Preview, PreviewBody, Schedule } from './schedules/schema.ts'
import { schedules } from './schedules/service.ts'
import { preview } from './schedules/times.ts'
import { Fired, Trigger, TriggerWithSecret } from './triggers/schema.ts'
import { rotateSecret, triggers } from './triggers/service.ts'

const read = { may: 'read-configuration' } as const
const write = { may: 'write-configuration' } as const
const agent_id = 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc'

export function routes(app: App, ctx: Context): void {
  scheduleRoutes(app, ctx)
  triggerRoutes(app, ctx)
}

function scheduleRoutes(app: App, ctx: Context): void {
  const tags = ['Schedules']
  resourceRoutes(app, ctx, {
    path: '/schedules',
    title: 'Schedule',
    tag: 'Schedules',
    shape: Schedule,
    service: schedules,
    computed: ['cron_description', 'last_run'],
    read: read.may,
    write: write.may,
    createErrors: ['unknown_reference', 'forbidden'],
    updateErrors: ['unknown_reference', 'forbidden'],
    example: {
      name: 'Morning report',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
      action: { type: 'message', agent_id, message: 'Summarize the tickets of yesterday.' },
    },
    change: { enabled: false },
  })

  app.get(
    '/schedules/:id/runs',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the runs of a schedule',
        params: ById,
        querystring: listParameters(AutomationRun, ['cost', 'waiting_for']),
        response: { 200: Listed(AutomationRun) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery)
      const { id } = await schedules.get(ctx, request.caller, request.params.id)
      return listed(await listRuns(ctx, request.caller.workspace, id, query), query)
    },
  )

  app.post(
    '/schedules/:id/run',
    {
      config: write,
      schema: {
        tags,
        summary: 'Run a schedule now',
        description: 'The run obeys `overlap`, so it may be queued or skipped. Due times stay as they are.',
        params: ById,
        response: { 202: Ok(AutomationRun) },
        errors: ['disabled'],
      },
    },
    async (request, reply) => {
      reply.status(202)
      return ok(presentRun(await runNow(ctx, request.caller, request.params.id)))
    },
  )

  app.post(
    '/schedules/preview',
    {
      config: read,
      schema: {
        tags,
        summary: 'Preview the times of a cron expression',
        body: PreviewBody,
        response: { 200: Ok(Preview) },
      },
    },
    async ({ body: { cron, timezone } }) => ok(preview(cron, timezone, ctx.now())),
  )
}

const signatureHeaders = {
  'webhook-id': 'The id of the event. A repeated id starts no second run.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970; five minutes ago at most.',
  'webhook-signature': '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` with the secret.',
}

function triggerRoutes(app: App, ctx: Context): void {
  const tags = ['Triggers']
  resourceRoutes(app, ctx, {
    path: '/triggers',
    title: 'Trigger',
    tag: 'Triggers',
    shape: Trigger,
    createdShape: TriggerWithSecret,
    service: triggers,
    read: read.may,
    write: write.may,
    createErrors: ['unknown_reference'],
    updateErrors: ['unknown_reference'],
    example: {
      name: 'New tickets',
      agent_id,
      template: 'A ticket came in: {{body.ticket.title}}',
      conversation_key: 'body.ticket.id',
    },
    change: { enabled: false },
  })

  app.post(
    '/triggers/:id/rotate-secret',
    {
      config: write,
      schema: {
        tags,
        summary: 'Rotate the secret of a trigger',
        description: 'Only this response contains the new secret. The old one stays valid for 24 hours.',
        params: ById,
        response: { 200: Ok(Type.Unsafe<object>(readShape(TriggerWithSecret))) },
      },
    },
    async (request) => ok(await rotateSecret(ctx, request.caller, request.params.id)),
  )

  app.get(
    '/triggers/:id/runs',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the runs of a trigger',
        params: ById,
        querystring: listParameters(TriggerRun, ['cost', 'waiting_for', 'body']),
        response: { 200: Listed(TriggerRun) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery)
      const { id } = await triggers.get(ctx, request.caller, request.params.id)
      const page = await listRuns(ctx, request.caller.workspace, id, query)
      const rows = isBound(request.caller) ? page.rows.map((row) => ({ ...row, body: null })) : page.rows
      return listed({ ...page, rows }, query)
    },
  )

  app.post(
    '/triggers/:id/fire',
    {
      // The signature is over the bytes, so the body is parsed only after it was checked.
      config: {
        may: 'public',
        unlimited: true,
        parseBody(raw, request) {
          request.rawBody = raw
          return {}
        },
      },
      schema: {
        tags,
        summary: 'Fire a trigger',
        description:
          'Needs no token: the request is signed as Standard Webhooks says. The body is any JSON up to 1 MiB. The answer comes at once; the agent works in the background. A repeated `webhook-id` answers the same and starts nothing.',
        params: ById,
        body: Type.Unsafe<object>({
          type: 'object',
          additionalProperties: true,
          title: 'TriggerBody',
          examples: [{ ticket: { id: 7, title: 'The printer is on fire' } }],
        }),
        requestHeaders: signatureHeaders,
        response: { 202: Ok(Fired) },
        errors: ['invalid_signature', 'disabled', 'not_found'],
      },
    },
    async (request, reply) => {
      const fired = await fire(ctx, request, reply)
      reply.status(202)
      return ok(fired)
    },
  )
}
