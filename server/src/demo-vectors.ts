// npm run build: writes the vectors of the passages of the documentation that are not in the file yet, and removes those of passages that are gone.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeVector, formatKnownVectors, textHash } from '@parley/embedding'
import { createParley, createThreads, type Threads } from './app.ts'
import { demoVectors, documentation } from './features/demo/service.ts'
import { readConfig } from './kernel/config.ts'

async function writeVectors(): Promise<void> {
  if (!existsSync(demoVectors)) writeFileSync(demoVectors, '')
  const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'))
  const { threads, vectors } = recording(createThreads())
  const environment = { DATA_DIR: folder, ADMIN_TOKEN: 'build', LOG_LEVEL: 'error', RATE_LIMIT: '1000000' }
  const parley = await createParley(readConfig(environment), { threads })
  const isEmbedded = async (): Promise<boolean> => {
    const answer = await parley.app.inject({ url: '/api/rag-tools', headers: { authorization: 'Bearer build' } })
    const [tool] = answer.json().data
    return tool.status === 'ready' && tool.index.refined === tool.index.chunks
  }
  while (!(await isEmbedded())) await delay(100)
  await parley.close()
  rmSync(folder, { recursive: true })
  writeFileSync(demoVectors, formatKnownVectors(vectors))
  process.stdout.write(`${vectors.size} passages of the documentation are embedded.\n`)
}

/** Records all vectors. */
function recording(threads: Threads): { threads: Threads; vectors: Map<string, string> } {
  const { miniLm } = threads.embedding
  const vectors = new Map<string, string>()
  const embedPassages = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const embedded = await miniLm.embedPassages(texts)
    for (const [at, vector] of embedded.entries()) vectors.set(textHash(texts[at] ?? ''), encodeVector(vector))
    return embedded
  }
  const embedding = { ...threads.embedding, miniLm: { ...miniLm, embedPassages } }
  return { threads: { ...threads, embedding }, vectors }
}

if (documentation().length > 0) await writeVectors()
