import type { Http, Query, RequestOptions } from './http.ts'
import { pagesOf } from './pages.ts'
import type { Resource, VersionsOf } from './types.ts'

export const segment = (id: string): string => {
  if (!id || id === '.' || id === '..') throw new TypeError('An id is missing.')
  return encodeURIComponent(id)
}

/** The five things every resource can do. Which of them the API has is in the type. */
export const resource = <P extends string>(http: Http, path: P): Resource<P> => {
  const all = {
    list: (query?: Query, options?: RequestOptions) => pagesOf(http, path, query, options),
    create: (body: unknown, options?: RequestOptions) => http.data('POST', path, { ...options, body }),
    get: (id: string, options?: RequestOptions) => http.data('GET', `${path}/${segment(id)}`, options),
    update: (id: string, body: unknown, options?: RequestOptions) =>
      http.data('PUT', `${path}/${segment(id)}`, { ...options, body }),
    delete: async (id: string, options?: RequestOptions) => {
      await http.json('DELETE', `${path}/${segment(id)}`, options)
    },
  }
  return all as unknown as Resource<P>
}

export const versions = <P extends string>(http: Http, path: P): VersionsOf<P> => {
  const of = (id: string, rest = '') => `${path}/${segment(id)}/versions${rest}`
  return {
    versions: (id, query, options) => pagesOf(http, of(id), query, options),
    version: (id, version, options) => http.data('GET', of(id, `/${version}`), options),
    restore: (id, version, options) => http.data('POST', of(id, `/${version}/restore`), options),
  }
}
