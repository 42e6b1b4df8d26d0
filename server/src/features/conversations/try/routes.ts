import type { Context } from '../../../kernel/context.ts'
import { modelErrors } from '../../../kernel/errors.ts'
import type { App } from '../../../kernel/http/app.ts'
import { disconnectSignal } from '../../../kernel/http/disconnect-signal.ts'
import { ById, Ok, ok } from '../../../kernel/http/envelope.ts'
import { eventStream } from '../../../kernel/http/media-types.ts'
import { failedReply } from '../../runs/ending.ts'
import { storeEvents } from '../streaming/answer.ts'
import { nativeEncoder, sendEvents } from '../streaming/send-events.ts'
import { TriedReply, TryBody, TryEvent, type TryBody as TryRequest } from './schema.ts'
import { triedEvents, triedReply, tryAgent } from './service.ts'

export function tryRoutes(app: App, ctx: Context): void {
  app.post(
    '/agents/:id/try',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: ['Agents'],
        summary: 'Try changes of an agent without saving them',
        description:
          'Runs the agent with the given fields in place of the saved ones and answers the last of `messages`. Fields that are left out are as saved, or as in `base_version`. Neither the changes nor the conversation are stored; the model calls are billed and limited by budgets like all others. Tools are called, but calls that need approval are `refused`, because nobody can approve them here. With `stream: true` the answer is `text/event-stream` with the events of a message. A disconnect cancels.',
        params: ById,
        body: TryBody,
        response: { 200: Ok(TriedReply) },
        content: eventStream(TryEvent, { type: 'text.delta', sequence: 2, delta: 'Hello' }),
        errors: ['unknown_reference', ...modelErrors, 'turn_timeout'],
      },
    },
    async (request, reply) => {
      const body = request.body as TryRequest
      const run = await tryAgent(ctx, request.caller, request.params.id, body, disconnectSignal(reply))
      if (body.stream) {
        const events = triedEvents(run)
        sendEvents(reply, events, nativeEncoder)
        storeEvents(request, events, undefined, 0)
        return reply
      }
      const { status } = await run.finished
      if (status !== 'completed') throw failedReply(run)
      return ok(triedReply(run))
    },
  )
}
