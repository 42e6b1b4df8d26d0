import type { Http, Query, RequestOptions } from './http.ts'

export interface Pagination {
  page: number
  limit: number
  total: number
  pages: number
}

export interface Page<T> {
  data: T[]
  pagination: Pagination
  /** If rows may be missing, why. */
  message?: string
}

/** A list: `await` returns one page, `for await` iterates over all rows of all pages. */
export interface Pages<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** One page, the same as `await`. */
  page(): Promise<Page<T>>
  /** All rows in one array, up to `max`. */
  all(max?: number): Promise<T[]>
}

const maxPageSize = 100

export function paginate<T>(http: Http, path: string, query: Query = {}, options: RequestOptions = {}): Pages<T> {
  const read = (more: Query): Promise<Page<T>> => http.json('GET', path, { ...options, query: { ...query, ...more } })

  async function* rows(): AsyncGenerator<T, void, undefined> {
    for (let number = Number(query.page ?? 1); ; number++) {
      const { data, pagination } = await read({ page: number, limit: query.limit ?? maxPageSize })
      yield* data
      if (number >= pagination.pages) return
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns one page
    then: (fulfilled, rejected) => read({}).then(fulfilled, rejected),
    page: () => read({}),
    [Symbol.asyncIterator]: rows,
    async all(max = Number.POSITIVE_INFINITY) {
      const found: T[] = []
      for await (const row of rows()) {
        if (found.length >= max) break
        found.push(row)
      }
      return found
    },
  }
}
