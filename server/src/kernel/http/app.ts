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
import type { Caller } from '../caller.ts'
import type { ErrorCode } from '../errors.ts'
import type { Permission } from './permissions.ts'

/** Documents content that no schema validates or serializes. */
export interface MediaType {
  /** Describes the whole content, or the `data` of each event in a stream. */
  schema: TSchema
  example: unknown
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission to call this route. Required: registering a route without it throws. */
    may?: Permission
    /** Responds with the rate-limit headers, but requests are neither counted nor limited. */
    unlimited?: boolean
    /** Responds while the database is down, to tokens that this node has accepted before. */
    duringOutage?: boolean
    /** Parses the body instead of `parseJson`, for bodies that are too large for the event loop. */
    parseBody?: (raw: Buffer, request: FastifyRequest) => unknown
  }
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
    operationId?: string
    /** Error codes of this route beyond those derived from its schema. */
    errors?: readonly ErrorCode[]
    /** Left out of the OpenAPI document. */
    hide?: boolean
    /** The media types of the successful response other than JSON, and of request bodies other than `body`. */
    content?: Record<string, MediaType>
    accepts?: Record<string, MediaType>
    /** The response has an ETag. Every JSON response to a GET has one. */
    etag?: boolean
    /** Request and response headers of this route by name, with a description. */
    requestHeaders?: Record<string, string>
    responseHeaders?: Record<string, string>
  }
  interface FastifyRequest {
    caller: Caller
    /** Its own trace context, or without OpenTelemetry that of the client. */
    traceparent: string | null
    /** The body as received. Only set for requests with an idempotency key. */
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
