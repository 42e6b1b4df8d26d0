import type { FastifyError } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { Reply } from '../../kernel/http/app.ts'
import { toProblem } from '../../kernel/http/errors.ts'
import { heartbeatComment, heartbeatEvery } from '../../kernel/http/heartbeat.ts'
import { openaiError } from './error-form.ts'
import type { runChat } from './service.ts'

interface Answer {
  /** What every chunk carries. */
  common: object
  withUsage: boolean
  finishReasons: Record<string, string>
  run(onText: (delta: string) => void): ReturnType<typeof runChat>
}

/** Sends an answer in chunks. What goes wrong before the first one is thrown, so that it has a status of its own. */
export async function streamChat(ctx: Context, reply: Reply, answer: Answer): Promise<void> {
  const { raw } = reply
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...answer.common, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const piece = (delta: object, finish: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }])
  let begun = false
  const write = (text: string) => {
    if (!begun) {
      begun = true
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      })
      raw.write(piece({ role: 'assistant', content: '' }))
    }
    raw.write(text)
  }
  const alive = setInterval(() => write(heartbeatComment), heartbeatEvery)
  try {
    const { finishReason, usage } = await answer.run((delta) => write(piece({ content: delta })))
    write(piece({}, answer.finishReasons[finishReason]))
    if (answer.withUsage) write(chunk([], { usage }))
    write('data: [DONE]\n\n')
  } catch (error) {
    if (!begun) throw error
    const problem = toProblem(error as FastifyError)
    if (problem.status === 500 && !raw.destroyed)
      ctx.log.error({ reqId: reply.request.id, err: error }, 'a stream failed')
    if (!raw.destroyed) write(`data: ${JSON.stringify({ error: openaiError(problem) })}\n\n`)
  } finally {
    clearInterval(alive)
  }
  raw.end()
}
