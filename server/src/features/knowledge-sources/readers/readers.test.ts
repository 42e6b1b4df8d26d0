import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, startSite } from '@parley/crawler/testing'
import { makePdf } from '@parley/documents/testing'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { watchedIndexer } from '../../../../test/watched-indexer.ts'

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'parley-folder-')))
const outsideFolder = (): string => {
  const folder = newFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const allowedRoot = newFolder()
afterAll(() => rmSync(allowedRoot, { recursive: true, force: true }))
const environment = { DIRECTORY_ROOTS: allowedRoot, EGRESS_ALLOW: '127.0.0.1' }
const shared = { workspace: () => startService({ environment, shared: true }) }

describe('a directory source', () => {
  it('must be below an allowed root, with symbolic links resolved', async () => {
    const root = allowedRoot
    const outside = outsideFolder()
    mkdirSync(join(root, 'docs'))
    writeFileSync(join(root, 'file.txt'), 'x')
    symlinkSync(outside, join(root, 'escape'))
    const { post } = await shared.workspace()
    const make = async (path?: string) => {
      const { status, body } = await post('/knowledge-sources', {
        name: 'D',
        type: 'directory',
        configuration: { path },
      })
      return status === 201 ? 201 : body.details[0].path
    }
    for (const path of [
      outside,
      '/',
      `${root}/../`,
      join(root, 'escape'),
      join(root, 'none'),
      `${root}x`,
      'docs/../..',
    ])
      expect([path, await make(path)]).toEqual([path, 'configuration.path'])
    expect(await make(join(root, 'file.txt'))).toBe('configuration.path')
    expect(await make()).toBe('configuration.path')
    expect(await make(root)).toBe(201)
    expect(await make(join(root, 'docs'))).toBe(201)
    expect(await make('docs')).toBe(201)
  })

  it('reads only files that have changed', async () => {
    const root = join(allowedRoot, 'walked')
    const outside = outsideFolder()
    const put = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content)
    mkdirSync(join(root, 'deep/er'), { recursive: true })
    mkdirSync(join(root, '.git'))
    put('a.md', '# A')
    put('deep/er/b.txt', 'b')
    put('fake.md', makePdf(['not taken here']))
    put('empty.txt', '')
    put('large.txt', 'x'.repeat(2000))
    put('picture.png', 'png')
    put('.git/config.txt', 'hidden')
    writeFileSync(join(outside, 'secret.txt'), 'secret')
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))
    symlinkSync(outside, join(root, 'linked'))
    symlinkSync(root, join(root, 'deep/loop'))

    const service = await shared.workspace()
    const indexer = watchedIndexer(service)
    const { make, sync, documents } = knowledge(service)
    const source = await make({
      type: 'directory',
      configuration: { path: root, file_types: ['md', 'txt'], max_file_size: 1000 },
    })
    const first = await sync(source)
    const found = Object.fromEntries((await documents(source)).map(({ name, error }) => [name, error]))
    expect(found).toEqual({
      'a.md': null,
      'deep/er/b.txt': null,
      'fake.md': expect.stringContaining('type pdf'),
      'empty.txt': 'The file is empty.',
      'large.txt': 'The file is larger than 1000 bytes.',
    })
    expect(first).toMatchObject({ error: null, documents: { total: 5, added: 2, failed: 3 } })
    indexer.puts.length = 0
    expect((await sync(source)).documents).toMatchObject({ total: 5, unchanged: 2, failed: 3 })

    put('a.md', '# Another A')
    put('fake.md', 'Now it is one')
    renameSync(join(root, 'deep/er/b.txt'), join(root, 'moved.txt'))
    expect((await sync(source)).documents).toEqual({
      total: 5,
      added: 2,
      updated: 1,
      removed: 1,
      unchanged: 0,
      failed: 2,
    })
    expect(indexer.puts.sort()).toEqual(['a.md', 'fake.md', 'moved.txt'])
    expect([...indexer.held.values()].some(({ text }) => text.includes('secret'))).toBe(false)

    rmSync(root, { recursive: true })
    expect(await sync(source)).toMatchObject({ status: 'failed', error: expect.stringContaining('does not exist') })
    expect((await service.get(`/knowledge-sources/${source}`)).body.data.status).toBe('error')
    expect(indexer.held.size).toBe(3)
    expect(await documents(source)).toHaveLength(5)
  })
})

describe('a web source', () => {
  const page = (title: string, ...links: string[]) => ({
    headers: { 'content-type': 'text/html', etag: `"${title}"` },
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>All about ${title}, at some length so that it is worth reading.</p>${links.map((link) => `<a href="${link}">more</a>`).join(' ')}</body></html>`,
  })

  it('fetches only pages that have changed', async () => {
    const pages: Record<string, Page> = {
      '/': page('home', '/a', '/b', '/broken', '/file.pdf'),
      '/a': page('alpha'),
      '/b': page('beta'),
      '/file.pdf': { headers: { 'content-type': 'application/pdf' }, body: Buffer.from(makePdf(['A file'])) },
    }
    const site = await startSite((path) => {
      const found = pages[path]
      if (typeof found !== 'object' || !found.headers?.etag) return found
      return (request, response) => {
        const isKnown = request.headers['if-none-match'] === found.headers?.etag
        response.writeHead(isKnown ? 304 : 200, found.headers).end(isKnown ? undefined : found.body)
      }
    })
    const service = await shared.workspace()
    const indexer = watchedIndexer(service)
    const { make, sync, documents, text } = knowledge(service)
    const source = await make({ type: 'web', configuration: { urls: [`${site.url}/`], max_pages: 10, max_depth: 2 } })
    expect(await sync(source)).toMatchObject({ status: 'completed', documents: { total: 4, added: 4, failed: 0 } })
    const names = async () => (await documents(source)).map((document) => document.name).sort()
    expect(await names()).toEqual(['/', '/a', '/b', '/file.pdf'].map((path) => `${site.url}${path}`))
    const alpha = (await documents(source)).find((document) => document.name.endsWith('/a'))
    expect(alpha).toMatchObject({ media_type: 'text/html', metadata: { url: `${site.url}/a`, title: 'alpha' } })
    expect(await text(source, alpha.id)).toContain('All about alpha')

    indexer.puts.length = 0
    expect((await sync(source)).documents).toMatchObject({ total: 4, unchanged: 4 })
    expect(indexer.puts).toEqual([])

    pages['/a'] = page('aleph')
    pages['/b'] = { status: 500 }
    expect((await sync(source)).documents).toMatchObject({ total: 4, updated: 1, failed: 1, unchanged: 2, removed: 0 })
    const broken = (await documents(source)).find((document) => document.name.endsWith('/b'))
    expect(broken).toMatchObject({ status: 'failed', error: expect.stringContaining('500') })
    expect(await text(source, broken.id)).toContain('All about beta')

    delete pages['/b']
    expect((await sync(source)).documents).toMatchObject({ total: 3, removed: 1, unchanged: 3, failed: 0 })
    expect(indexer.removed).toEqual([broken.id])
  })

  it('that is down reports an error and keeps its documents', async () => {
    let isThere = true
    const site = await startSite((path) => (!isThere ? { status: 500 } : path === '/' ? page('home') : undefined))
    const service = await shared.workspace()
    const { make, sync, documents, text } = knowledge(service)
    const source = await make({ type: 'web', configuration: { urls: [`${site.url}/`] } })
    await sync(source)
    isThere = false
    const failed = await sync(source)
    expect(failed).toMatchObject({ status: 'failed', documents: { total: 1, failed: 1, removed: 0 } })
    const { status, status_message } = (await service.get(`/knowledge-sources/${source}`)).body.data
    expect([status, status_message]).toEqual(['error', failed.error])
    const [home] = await documents(source)
    expect(home.status).toBe('failed')
    expect(await text(source, home.id)).toContain('All about home')
  })

  it('with an invalid sitemap reports an error and keeps its documents', async () => {
    const entries = (...paths: string[]) =>
      `<urlset>${paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</urlset>`
    let sitemap: Page | undefined
    const site = await startSite((path) =>
      path === '/sitemap.xml' ? sitemap : path === '/a' || path === '/b' ? page(path) : undefined,
    )
    const service = await shared.workspace()
    const { make, sync, documents } = knowledge(service)
    const configuration = { sitemap: `${site.url}/sitemap.xml`, max_depth: 0 }
    const wrong = await make({ type: 'web', configuration })
    expect(await sync(wrong)).toMatchObject({ status: 'failed', error: expect.stringContaining('404') })

    const source = await make({ type: 'web', configuration })
    sitemap = { body: entries('/a', '/b') }
    expect(await sync(source)).toMatchObject({ status: 'completed', documents: { total: 2, added: 2 } })
    const bodies = [
      undefined,
      { status: 500 },
      { headers: { 'content-type': 'text/html' }, body: '<!doctype html><html><body>Not found</body></html>' },
      { body: entries('/a', '/b').slice(0, -30) },
      { body: 'Try again later.' },
      { body: '' },
    ]
    for (const broken of bodies) {
      sitemap = broken
      const { status, error, documents: counted } = await sync(source)
      expect([broken, status, counted.removed]).toEqual([broken, 'failed', 0])
      expect(error).toContain('sitemap')
      const read = (await service.get(`/knowledge-sources/${source}`)).body.data
      expect([read.status, read.status_message]).toEqual(['error', error])
      expect((await documents(source)).map(({ status: state }) => state)).toEqual(['indexed', 'indexed'])
    }
    sitemap = { body: entries() }
    expect(await sync(source)).toMatchObject({ status: 'completed', documents: { total: 0, removed: 2 } })
  })

  it('keeps the pages of a sitemap part that cannot be read', async () => {
    const list = (name: string, ...paths: string[]) =>
      `<${name}>${paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</${name}>`
    let part: Page | undefined
    const site = await startSite((path) => {
      const index = ['/1.xml', '/2.xml'].map((each) => `<sitemap><loc>${site.url}${each}</loc></sitemap>`)
      if (path === '/sitemap.xml') return { body: `<sitemapindex>${index.join('')}</sitemapindex>` }
      if (path === '/1.xml') return { body: list('urlset', '/a') }
      return path === '/2.xml' ? part : path === '/a' || path === '/b' ? page(path) : undefined
    })
    const service = await shared.workspace()
    const { make, sync } = knowledge(service)
    part = { body: list('urlset', '/b') }
    const source = await make({ type: 'web', configuration: { sitemap: `${site.url}/sitemap.xml`, max_depth: 0 } })
    expect(await sync(source)).toMatchObject({ documents: { added: 2 } })
    part = undefined
    expect(await sync(source)).toMatchObject({
      status: 'completed',
      documents: { total: 3, unchanged: 2, failed: 1, removed: 0 },
    })
  })

  it('counts pages behind a failed page as unchanged', async () => {
    let home: Page = page('home', '/a', '/b')
    const site = await startSite((path) => (path === '/' ? home : ['/a', '/b'].includes(path) ? page(path) : undefined))
    const service = await shared.workspace()
    const { make, sync } = knowledge(service)
    const source = await make({ type: 'web', configuration: { urls: [`${site.url}/`] } })
    await sync(source)
    home = { status: 500 }
    const counted = { total: 3, added: 0, updated: 0, removed: 0, unchanged: 2, failed: 1 }
    expect(await sync(source)).toMatchObject({ status: 'failed', documents: counted })
  })
})
