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
}

/** A list: `await` gives one page, `for await` gives every row of every page. */
export interface Pages<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** One page, the same as `await`. */
  page(): Promise<Page<T>>
  /** Every row in one array, or as many as `most`. */
  all(most?: number): Promise<T[]>
}

const mostOnAPage = 100

export function pagesOf<T>(http: Http, path: string, query: Query = {}, options: RequestOptions = {}): Pages<T> {
  const read = (more: Query): Promise<Page<T>> => http.json('GET', path, { ...options, query: { ...query, ...more } })

  async function* rows(): AsyncGenerator<T, void, undefined> {
    for (let number = Number(query.page ?? 1); ; number++) {
      const { data, pagination } = await read({ page: number, limit: query.limit ?? mostOnAPage })
      yield* data
      if (number >= pagination.pages) return
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is a promise of its first page
    then: (fulfilled, rejected) => read({}).then(fulfilled, rejected),
    page: () => read({}),
    [Symbol.asyncIterator]: rows,
    async all(most = Number.POSITIVE_INFINITY) {
      const found: T[] = []
      for await (const row of rows()) {
        if (found.length >= most) break
        found.push(row)
      }
      return found
    },
  }
}
