import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import type { Permission } from './permissions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. Required: a route without it stops the start. */
    may?: Permission
    /** Carries the rate-limit headers but is never refused and never counted. */
    unlimited?: boolean
  }
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
    operationId?: string
    /** The error codes of this route beyond those that follow from its shape. */
    errors?: readonly ErrorCode[]
    /** Left out of the OpenAPI document. */
    hide?: boolean
    /** The media type of an answer that is not JSON. */
    produces?: string
    /** The schema of each event of a streamed response. It documents only: nothing is serialized with it. */
    event?: TSchema
  }
  interface FastifyRequest {
    caller: Caller
    /** The body as it arrived; kept only where an idempotency key needs it. */
    rawBody: Buffer | null
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
export type { FastifyReply as Reply, FastifyRequest as Request }

export const mebibyte = 1024 * 1024
