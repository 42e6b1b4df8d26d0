import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startThread } from './start-thread.ts'

it('runs a module with what it is given, and with the cache of compiled code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threads-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'module.ts')
  writeFileSync(
    file,
    `import { getCompileCacheDir } from 'node:module'
     import { parentPort, workerData } from 'node:worker_threads'
     parentPort?.postMessage({ given: workerData as string, cache: getCompileCacheDir() as string })`,
  )
  const [answer] = await once(startThread(pathToFileURL(file), { workerData: 'a word' }), 'message')
  expect(answer).toEqual({ given: 'a word', cache: expect.any(String) })
})

it('fails as a thread does when its module cannot be loaded', async () => {
  const [error] = await once(startThread(new URL('file:///nowhere/module.ts')), 'error')
  expect((error as Error).message).toContain('/nowhere/module.ts')
})
