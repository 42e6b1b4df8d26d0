import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Parley, type UploadProgress } from '../src/index.ts'

interface Received {
  path: string
  names: string[]
  sizes: number[]
  type: string | undefined
}

/** A server that reads multipart forms as the standard says and refuses files that are named so. */
async function receiver() {
  const received: Received[] = []
  const bodyOf = async (request: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    return (await new Response(Buffer.concat(chunks), { headers }).formData()).getAll('file') as File[]
  }
  const server = createServer(async (request, response) => {
    const files = await bodyOf(request)
    const refused = files.some(({ name }) => name.includes('refused'))
    if (!refused) {
      received.push({
        path: request.url ?? '',
        names: files.map(({ name }) => name),
        sizes: files.map(({ size }) => size),
        type: files[0]?.type,
      })
    }
    const error = { success: false, error: 'Not this.', code: 'unsupported_file_type', request_id: 'r' }
    const data = files.map(({ name }) => ({ id: `doc_${name}`, name }))
    response.writeHead(refused ? 400 : 201, { 'content-type': 'application/json' })
    response.end(JSON.stringify(refused ? error : { success: true, data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const parley = new Parley({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' })
  return { parley, received }
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
  await expect(parley.knowledgeSources.upload('src_1', [new File(['x'], 'a')], { signal })).rejects.toThrow(
    'never mind',
  )
})
