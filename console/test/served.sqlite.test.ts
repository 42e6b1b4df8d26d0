import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startService } from '../../server/test/harness.ts'
import { consoleFiles } from '../build.ts'

it('serves the console with a strict policy, caching and compression', async () => {
  const { url } = await startService()
  const page = await fetch(url)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const again = await fetch(url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
  const asset = await fetch(`${url}${script}`)
  expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const plain = await fetch(`${url}${script}`, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
})

it('serves the page for every path of the console, but not for the API', async () => {
  const { url, get } = await startService()
  for (const path of ['/agents', '/agents/agt_1', '/settings?tab=tokens', '/anything-else']) {
    const response = await fetch(`${url}${path}`)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ])
  }
  for (const path of ['/assets/none.js', '/assets/../../package.json', '/.env', '/index.php']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404])
  }
  expect((await fetch(`${url}/api/nothing`)).status).toBe(401)
  expect((await get('/nothing')).body.code).toBe('not_found')
  expect((await fetch(`${url}/agents`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/docs`)).status).toBe(200)
})

it('loads few scripts and styles first, and the rest by page', () => {
  interface Chunk {
    file: string
    css?: string[]
    isEntry?: boolean
    imports?: string[]
    dynamicImports?: string[]
  }
  const manifest = JSON.parse(readFileSync(join(consoleFiles, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const needed = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || needed.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) needed.add(file)
    for (const other of chunk.imports ?? []) add(other)
  }
  const [entry, chunk] = Object.entries(manifest).find(([, each]) => each.isEntry) ?? []
  add(entry ?? '')
  add('src/pages/home/home.tsx')
  const size = (file: string) => readFileSync(join(consoleFiles, `${file}.gz`)).length
  const total = [...needed].reduce((sum, file) => sum + size(file), 0)
  expect(chunk?.dynamicImports?.length).toBeGreaterThan(8)
  expect(total).toBeGreaterThan(50 * 1024)
  expect(total).toBeLessThan(260 * 1024)
  process.stdout.write(`The console loads ${(total / 1024).toFixed(1)} KiB of gzipped scripts and styles first.\n`)
})
