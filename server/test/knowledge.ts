import type { Answer, Json, Service } from './harness.ts'
import { until } from './harness.ts'
import { checkResponse } from './openapi-check.ts'

/** Common steps of knowledge tests, through the API. */
export interface Knowledge {
  make(body?: object): Promise<string>
  upload(source: string, files: Record<string, string | Uint8Array>, more?: UploadMore): Promise<Answer>
  /** Waits until no sync is running and returns the newest one. */
  settled(source: string): Promise<Json>
  sync(source: string): Promise<Json>
  documents(source: string): Promise<Json[]>
  text(source: string, document: string): Promise<string>
}

interface UploadMore {
  query?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
  token?: string
}

export function knowledge({ url, token, get, post }: Pick<Service, 'url' | 'token' | 'get' | 'post'>): Knowledge {
  const settled = async (source: string) => {
    await until(async () => (await get(`/knowledge-sources/${source}`)).body.data.status !== 'syncing')
    return (await get(`/knowledge-sources/${source}/syncs?limit=1`)).body.data[0]
  }
  return {
    settled,
    async make(body = {}) {
      const answer = await post('/knowledge-sources', { name: 'Papers', type: 'file', ...body })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body.data.id
    },
    async upload(source, files, more = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries(more.fields ?? {})) form.append(name, value)
      for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content as string]), name)
      const response = await fetch(`${url}/api/knowledge-sources/${source}/documents${more.query ?? ''}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${more.token ?? token}`, ...more.headers },
        body: form,
      })
      const text = await response.text()
      checkResponse('POST', response, text)
      return { status: response.status, headers: response.headers, body: JSON.parse(text) }
    },
    async sync(source) {
      const started = await post(`/knowledge-sources/${source}/sync`)
      if (started.status !== 200) throw new Error(JSON.stringify(started.body))
      await settled(source)
      return (await get(`/knowledge-sources/${source}/syncs/${started.body.data.id}`)).body.data
    },
    documents: async (source) => (await get(`/knowledge-sources/${source}/documents?order=asc&limit=100`)).body.data,
    text: async (source, document) =>
      (await get(`/knowledge-sources/${source}/documents/${document}/content`)).body.data.text,
  }
}
