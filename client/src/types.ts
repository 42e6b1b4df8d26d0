import type { components, paths } from './schema.ts'

/** The schemas of the API by name, as in `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** A schema by name, or `any` if the API does not have it. */
export type Shape<N extends string> = N extends keyof Schemas ? Schemas[N] : Loose
// biome-ignore lint/suspicious/noExplicitAny: the schema is unknown
type Loose = any

type PathItem<P extends string> = `/api${P}` extends keyof paths ? paths[`/api${P}`] : 'unknown'
type Method<P extends string, M extends string> =
  PathItem<P> extends 'unknown' ? 'unknown' : PathItem<P> extends Record<M, infer Operation> ? Operation : never

type JsonContent<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type SuccessResponse<Operation> = Operation extends { responses: infer R }
  ? JsonContent<R[Extract<keyof R, 200 | 201 | 202>]>
  : never

/** The `data` of a route's response. */
export type ResponseData<P extends string, M extends string> =
  Method<P, M> extends 'unknown' ? Loose : SuccessResponse<Method<P, M>> extends { data: infer Data } ? Data : never

/** The request body of a route. */
export type RequestBody<P extends string, M extends string> =
  Method<P, M> extends 'unknown'
    ? Loose
    : Method<P, M> extends { requestBody?: infer B }
      ? JsonContent<NonNullable<B>>
      : never

/** The query parameters of a list or a report. */
export type RequestQuery<P extends string, M extends string = 'get'> =
  Method<P, M> extends 'unknown'
    ? Loose
    : Method<P, M> extends { parameters: { query?: infer Q } }
      ? { [Name in keyof NonNullable<Q>]?: NonNullable<Q>[Name] | undefined }
      : never

export type ListRow<P extends string> = ResponseData<P, 'get'> extends (infer Row)[] ? Row : Loose
