import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Parley, type ParleyOptions, type UploadProgress } from '../src/index.ts'

interface Received {
  path: string
  names: string[]
  sizes: number[]
  type: string | undefined
  key: string | undefined
  metadata: string | null
}

/** A server that reads multipart forms as the standard says, and refuses or ignores files that are named so. */
async function receiver(options: ParleyOptions = {}) {
  const received: Received[] = []
  const keys: (string | undefined)[] = []
  const readForm = async (request: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    return new Response(Buffer.concat(chunks), { headers }).formData()
  }
  const server = createServer(async (request, response) => {
    const form = await readForm(request)
    const files = form.getAll('file') as File[]
    const key = request.headers['idempotency-key'] as string | undefined
    keys.push(key)
    if (files.some(({ name }) => name.includes('stuck'))) return
    const refused = files.some(({ name }) => name.includes('refused'))
    if (!refused) {
      received.push({
        path: request.url ?? '',
        names: files.map(({ name }) => name),
        sizes: files.map(({ size }) => size),
        type: files[0]?.type,
        key,
        metadata: form.get('metadata') as string | null,
      })
    }
    const error = { success: false, error: 'Not this.', code: 'unsupported_file_type', request_id: 'r' }
    const data = files.map(({ name }) => ({ id: `doc_${name}`, name }))
    response.writeHead(refused ? 400 : 201, { 'content-type': 'application/json' })
    response.end(JSON.stringify(refused ? error : { success: true, data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parley = new Parley({ baseUrl, token: 't', ...options })
  return { parley, received, keys }
}

it('uploads many files in few requests with progress', async () => {
  const { parley, received } = await receiver()
  const files = Array.from(
    { length: 45 },
    (_, n) => new File(['x'.repeat(1000 * n)], `file "${n}".txt`, { type: 'text/plain' }),
  )
  const progress: UploadProgress[] = []
  const stored = await parley.knowledgeSources.upload('src_1', files, { onProgress: (each) => progress.push(each) })
  expect(stored).toHaveLength(45)
  expect(received.map(({ names }) => names.length)).toEqual([20, 20, 5])
  expect(received.flatMap(({ sizes }) => sizes)).toEqual(files.map(({ size }) => size))
  expect(received[0]).toMatchObject({ path: '/api/knowledge-sources/src_1/documents?sync=false', type: 'text/plain' })
  expect(received[2]?.path).toBe('/api/knowledge-sources/src_1/documents')
  const last = progress.filter(({ index }) => index === 44)
  expect(last.at(0)).toMatchObject({ sent: 0, size: 44_000, state: 'sending' })
  expect(last.at(-1)).toMatchObject({ sent: 44_000, size: 44_000, state: 'done' })
  for (const [place, each] of last.entries()) expect(each.sent).toBeGreaterThanOrEqual(last[place - 1]?.sent ?? 0)
})

it('uploads the other files if one is rejected', async () => {
  const { parley, received } = await receiver()
  const files = ['good.txt', 'refused.exe', 'fine.md'].map((name) => ({ name, content: new Blob([name]) }))
  const states: Record<string, string> = {}
  const sending = parley.knowledgeSources.upload('src_1', files, {
    onProgress: ({ name, state }) => {
      states[name] = state
    },
  })
  await expect(sending).rejects.toMatchObject({ code: 'unsupported_file_type' })
  expect(states).toEqual({ 'good.txt': 'done', 'refused.exe': 'failed', 'fine.md': 'done' })
  expect(received.flatMap(({ names }) => names)).toEqual(['good.txt', 'fine.md'])
})

it('stops when aborted', async () => {
  const { parley } = await receiver()
  const signal = AbortSignal.abort(new Error('never mind'))
  const seen: string[] = []
  const files = Array.from({ length: 30 }, (_, n) => new File(['x'], `${n}.txt`)) // more than one request
  const onProgress = ({ state }: { state: string }) => seen.push(state)
  const upload = parley.knowledgeSources.upload('src_1', files, { signal, onProgress })
  await expect(upload).rejects.toMatchObject({ code: 'aborted', cause: { message: 'never mind' } })
  expect(seen).not.toContain('failed')
})

it('sends metadata, and uses the configured fetch and timeout', async () => {
  const urls: string[] = []
  const counting: typeof fetch = (input, init) => {
    urls.push(String(input))
    return fetch(input, init)
  }
  const { parley, received } = await receiver({ fetch: counting })
  const file = { name: 'a.txt', content: new Blob(['a']) }
  await parley.knowledgeSources.upload('src_1', [file], { metadata: { year: 2024, tags: ['"x"', 'ü'] } })
  expect(JSON.parse(received[0]?.metadata ?? '')).toEqual({ year: 2024, tags: ['"x"', 'ü'] })
  expect([received[0]?.names, urls.length]).toEqual([['a.txt'], 1])
  const { parley: hasty } = await receiver({ timeout: 300 })
  const stuck = hasty.knowledgeSources.upload('src_1', [{ name: 'stuck', content: new Blob(['a']) }])
  await expect(stuck).rejects.toMatchObject({ code: 'timeout' })
})

it('uses each idempotency key for one request, and the same ones when the upload is repeated', async () => {
  const { parley, keys } = await receiver()
  const files = Array.from({ length: 25 }, (_, n) => ({ name: n === 3 ? 'refused' : `${n}`, content: new Blob(['x']) }))
  const upload = () => parley.knowledgeSources.upload('src_1', files, { idempotencyKey: 'mine' }).catch(() => {})
  await upload()
  expect(keys).toHaveLength(22) // a batch of 20 that is refused, its files one by one, and the last 5
  expect(new Set(keys).size).toBe(22)
  const first = [...keys]
  await upload()
  expect(keys.slice(22)).toEqual(first)
})
