import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApi, until } from '../api.ts'
import type { Running } from '../processes.ts'

/** Milliseconds from the start of the upload until a search finds the document. */
export async function uploadOfPdf(parley: Running, data: string): Promise<number> {
  const { call } = createApi(parley)
  const source = await call<{ id: string }>('POST', '/knowledge-sources', { name: 'Report', type: 'file' })
  const tool = await call<{ id: string }>('POST', '/rag-tools', { name: 'Report', knowledge_source_id: source.id })
  const form = new FormData()
  form.append('files', new Blob([readFileSync(join(data, 'docs/AMD_2017_10K.pdf'))]), 'report.pdf')
  const started = performance.now()
  await call('POST', `/knowledge-sources/${source.id}/documents`, form)
  const search = () =>
    call<{ results: unknown[] }>('POST', `/rag-tools/${tool.id}/query`, { query: 'revenue', answer: false })
  await until(search, ({ results }) => results.length > 0)
  const milliseconds = performance.now() - started
  await call('DELETE', `/rag-tools/${tool.id}`)
  await call('DELETE', `/knowledge-sources/${source.id}`)
  return milliseconds
}

interface Synced {
  source: string
  chunks: number
  milliseconds: number
}

/** Syncs a source over a folder below DIRECTORY_ROOTS: a new one, or the given one again. */
export async function sync(parley: Running, path: string, existing?: string): Promise<Synced> {
  const { call } = createApi(parley)
  const started = performance.now()
  const body = { name: path, type: 'directory', configuration: { path } }
  const source = existing ?? (await call<{ id: string }>('POST', '/knowledge-sources', body)).id
  await call('POST', `/knowledge-sources/${source}/sync`, {})
  const read = () => call<{ status: string }>('GET', `/knowledge-sources/${source}`)
  const { status } = await until(read, (each) => each.status === 'active' || each.status === 'error')
  if (status === 'error') throw new Error(`The sync of ${path} failed.`)
  const milliseconds = performance.now() - started
  const [last] = await call<{ chunks: { embedded: number } }[]>('GET', `/knowledge-sources/${source}/syncs?limit=1`)
  return { source, chunks: last?.chunks.embedded ?? 0, milliseconds }
}
