import type { RequestOptions } from './http.ts'
import type { Pages } from './pages.ts'
import type { components, paths } from './schema.ts'

/** The shapes of the API by name, as in `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** A shape by its name, or any object where the API that the types were made from does not have it. */
export type Shape<N extends string> = N extends keyof Schemas ? Schemas[N] : Loose
// biome-ignore lint/suspicious/noExplicitAny: nothing is known about it
type Loose = any

type PathOf<P extends string> = `/api${P}` extends keyof paths ? paths[`/api${P}`] : 'unknown'
type Method<P extends string, M extends string> =
  PathOf<P> extends 'unknown' ? 'unknown' : PathOf<P> extends Record<M, infer Operation> ? Operation : never

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type AnswerOf<Operation> = Operation extends { responses: infer R }
  ? JsonOf<R extends { 201: infer Created } ? Created : R extends { 200: infer Found } ? Found : never>
  : never

/** What a route answers with, without the envelope. */
export type DataOf<P extends string, M extends string> =
  Method<P, M> extends 'unknown' ? Loose : AnswerOf<Method<P, M>> extends { data: infer Data } ? Data : never

/** What a route takes as its body. */
export type BodyOf<P extends string, M extends string> =
  Method<P, M> extends 'unknown'
    ? Loose
    : Method<P, M> extends { requestBody?: infer B }
      ? JsonOf<NonNullable<B>>
      : never

/** The query parameters of a list or a report. */
export type QueryOf<P extends string, M extends string = 'get'> =
  Method<P, M> extends 'unknown'
    ? Loose
    : Method<P, M> extends { parameters: { query?: infer Q } }
      ? { [Name in keyof NonNullable<Q>]?: NonNullable<Q>[Name] | undefined }
      : never

export type RowOf<P extends string> = DataOf<P, 'get'> extends (infer Row)[] ? Row : Loose

/** A part of a resource is there exactly where its route is. */
type Where<P extends string, M extends string, Part> = [Method<P, M>] extends [never] ? unknown : Part

/** List, get, create, update and delete: those of them that the API has below this path. */
export type Resource<P extends string> = Where<
  P,
  'get',
  { list(query?: QueryOf<P>, options?: RequestOptions): Pages<RowOf<P>> }
> &
  Where<P, 'post', { create(body: BodyOf<P, 'post'>, options?: RequestOptions): Promise<DataOf<P, 'post'>> }> &
  Where<`${P}/{id}`, 'get', { get(id: string, options?: RequestOptions): Promise<DataOf<`${P}/{id}`, 'get'>> }> &
  Where<
    `${P}/{id}`,
    'put',
    {
      update(
        id: string,
        body: BodyOf<`${P}/{id}`, 'put'>,
        options?: RequestOptions,
      ): Promise<DataOf<`${P}/{id}`, 'put'>>
    }
  > &
  Where<`${P}/{id}`, 'delete', { delete(id: string, options?: RequestOptions): Promise<void> }>

export interface VersionsOf<P extends string> {
  versions(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Pages<Schemas['Version']>
  version(id: string, version: number, options?: RequestOptions): Promise<Schemas['Version']>
  /** Makes a new version with the fields of an old one. */
  restore(id: string, version: number, options?: RequestOptions): Promise<DataOf<`${P}/{id}`, 'get'>>
}
