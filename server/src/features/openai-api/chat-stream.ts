import type { FastifyError } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { Reply } from '../../kernel/http/app.ts'
import { toProblem } from '../../kernel/http/errors.ts'
import { eventStreamHeaders } from '../../kernel/http/event-stream.ts'
import { heartbeatComment, heartbeatEvery } from '../../kernel/http/heartbeat.ts'
import { openaiError } from './error-form.ts'
import type { runChat } from './service.ts'

interface Answer {
  /** The fields of every chunk. */
  common: object
  withUsage: boolean
  finishReasons: Record<string, string>
  run(listener: { onText(delta: string): void; onReasoning(delta: string): void }): ReturnType<typeof runChat>
}

/** Streams a completion. Errors before the first chunk are thrown, so that they get their own status. */
export async function streamChat(ctx: Context, reply: Reply, answer: Answer): Promise<void> {
  const { raw } = reply
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...answer.common, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const deltaChunk = (delta: object, finish: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }])
  let started = false
  const isRepeatable = reply.request.idempotencyKey !== null
  let sent = ''
  const write = (text: string) => {
    if (!started) {
      started = true
      reply.hijack()
      raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...eventStreamHeaders })
      writeChunk(deltaChunk({ role: 'assistant', content: '' }))
    }
    writeChunk(text)
  }
  const writeChunk = (text: string) => {
    if (isRepeatable && text !== heartbeatComment) sent += text
    raw.write(text)
  }
  const end = 'data: [DONE]\n\n'
  const heartbeat = setInterval(() => write(heartbeatComment), heartbeatEvery)
  try {
    const done = await answer.run({
      onText: (delta) => write(deltaChunk({ content: delta })),
      onReasoning: (delta) => write(deltaChunk({ reasoning_content: delta })),
    })
    const { annotations, toolCalls, finishReason, usage } = done
    if (annotations.length > 0) write(deltaChunk({ annotations }))
    for (const [index, { function: called, ...call }] of toolCalls.entries()) {
      write(deltaChunk({ tool_calls: [{ index, ...call, function: { name: called.name, arguments: '' } }] }))
      write(deltaChunk({ tool_calls: [{ index, function: { arguments: called.arguments } }] }))
    }
    write(deltaChunk({}, toolCalls.length > 0 ? 'tool_calls' : answer.finishReasons[finishReason]))
    if (answer.withUsage) write(chunk([], { usage }))
    const stored = { status: 200, headers: eventStreamHeaders, body: sent + end }
    await reply.request.storeResponse(Promise.resolve(stored))
    write(end)
  } catch (error) {
    if (!started) throw error
    const problem = toProblem(error as FastifyError)
    if (problem.status === 500 && !raw.destroyed)
      ctx.log.error({ reqId: reply.request.id, err: error }, 'chat completion stream failed')
    if (!raw.destroyed) write(`data: ${JSON.stringify({ error: openaiError(problem) })}\n\n`)
  } finally {
    clearInterval(heartbeat)
  }
  raw.end()
}
