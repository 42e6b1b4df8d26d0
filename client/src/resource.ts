import type { Http, Query, RequestOptions } from './http.ts'
import { pagesOf } from './pages.ts'
import type { Resource, VersionsOf } from './types.ts'

export const segment = (id: string): string => {
  if (!id || id === '.' || id === '..') throw new TypeError('An ID is required.')
  return encodeURIComponent(id)
}

/** The CRUD methods of a resource. The type has only those that the API supports. */
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
  const versionsPath = (id: string, rest = '') => `${path}/${segment(id)}/versions${rest}`
  return {
    versions: (id, query, options) => pagesOf(http, versionsPath(id), query, options),
    version: (id, version, options) => http.data('GET', versionsPath(id, `/${version}`), options),
    restore: (id, version, options) => http.data('POST', versionsPath(id, `/${version}/restore`), options),
  }
}
