import type { RequestOptions } from './http.ts'
import type { Pages } from './pages.ts'
import type { components, paths } from './schema.ts'

/** The schemas of the API by name, as in `Schemas['Agent']`. */
export type Schemas = components['schemas']

/** A schema by name, or `any` if the API does not have it. */
export type Shape<N extends string> = N extends keyof Schemas ? Schemas[N] : Loose
// biome-ignore lint/suspicious/noExplicitAny: the schema is unknown
type Loose = any

type PathOf<P extends string> = `/api${P}` extends keyof paths ? paths[`/api${P}`] : 'unknown'
type Method<P extends string, M extends string> =
  PathOf<P> extends 'unknown' ? 'unknown' : PathOf<P> extends Record<M, infer Operation> ? Operation : never

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type ResponseOf<Operation> = Operation extends { responses: infer R }
  ? JsonOf<R extends { 201: infer Created } ? Created : R extends { 200: infer Found } ? Found : never>
  : never

/** The `data` of a route's response. */
export type DataOf<P extends string, M extends string> =
  Method<P, M> extends 'unknown' ? Loose : ResponseOf<Method<P, M>> extends { data: infer Data } ? Data : never

/** The request body of a route. */
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

/** Includes a method only if its route exists. */
type IfRoute<P extends string, M extends string, Part> = [Method<P, M>] extends [never] ? unknown : Part

/** List, get, create, update and delete, as far as the API has them below this path. */
export type Resource<P extends string> = IfRoute<
  P,
  'get',
  { list(query?: QueryOf<P>, options?: RequestOptions): Pages<RowOf<P>> }
> &
  IfRoute<P, 'post', { create(body: BodyOf<P, 'post'>, options?: RequestOptions): Promise<DataOf<P, 'post'>> }> &
  IfRoute<`${P}/{id}`, 'get', { get(id: string, options?: RequestOptions): Promise<DataOf<`${P}/{id}`, 'get'>> }> &
  IfRoute<
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
  IfRoute<`${P}/{id}`, 'delete', { delete(id: string, options?: RequestOptions): Promise<void> }>

export interface VersionsOf<P extends string> {
  versions(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Pages<Schemas['Version']>
  version(id: string, version: number, options?: RequestOptions): Promise<Schemas['Version']>
  /** Creates a new version with the fields of an old one. */
  restore(id: string, version: number, options?: RequestOptions): Promise<DataOf<`${P}/{id}`, 'get'>>
}
