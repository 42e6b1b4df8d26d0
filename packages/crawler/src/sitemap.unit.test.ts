import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSitemap } from './sitemap.ts'

const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod></url>
  <url><image:image><image:loc>https://example.com/p.png</image:loc></image:image><loc><![CDATA[https://example.com/b]]></loc></url>
</urlset>`
const pages = ['https://example.com/a?x=1&y=2', 'https://example.com/b']

it('parses a sitemap, gzipped or not', async () => {
  expect(await readSitemap(Buffer.from(xml))).toEqual({ pages, sitemaps: [] })
  expect(await readSitemap(gzipSync(`\uFEFF${xml}`))).toEqual({ pages, sitemaps: [] })
})

it('parses a sitemap index', async () => {
  const index = '<sitemapindex><sitemap><loc>https://example.com/1.xml.gz</loc></sitemap></sitemapindex>'
  expect(await readSitemap(Buffer.from(index))).toEqual({ pages: [], sitemaps: ['https://example.com/1.xml.gz'] })
})

it('parses a plain list of URLs', async () => {
  const list = 'https://example.com/a\r\nnot an address\n  http://example.com/b'
  expect((await readSitemap(Buffer.from(list))).pages).toEqual(['https://example.com/a', 'http://example.com/b'])
})

it('limits decompression and does not expand entities', async () => {
  await expect(readSitemap(gzipSync(Buffer.alloc(60 * 1024 * 1024)))).rejects.toThrow()
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
  expect((await readSitemap(Buffer.from(bomb))).pages).toEqual(['&b;'])
})

it('rejects other content and incomplete sitemaps', async () => {
  const page = '<!doctype html><html><body><url><loc>https://example.com/a</loc></url></body></html>'
  for (const text of ['', 'Not found', page, '<?xml version="1.0"?>', '<rss></rss>'])
    await expect(readSitemap(Buffer.from(text))).rejects.toThrow('not a sitemap')
  for (const cut of [xml.slice(0, -20), xml.slice(0, -3), '<urlset>', '<sitemapindex><sitemap>'])
    await expect(readSitemap(Buffer.from(cut))).rejects.toThrow('incomplete')
  for (const none of ['<urlset></urlset>', '<urlset/>', '<?xml version="1.0"?><!-- none --><sitemapindex />'])
    expect(await readSitemap(Buffer.from(none))).toEqual({ pages: [], sitemaps: [] })
})

it('never fails for other reasons', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('<url>', '<loc>', '</loc>', '</url>', '<sitemap>', '<![CDATA[', ']]>', '<?'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      const { pages, sitemaps } = await readSitemap(Buffer.from(`<urlset>${pieces.join('')}]]></urlset>`)).catch(
        ({ message }) => {
          expect(message).toContain('incomplete')
          return { pages: [], sitemaps: [] }
        },
      )
      expect([...pages, ...sitemaps].every((address) => address !== '')).toBe(true)
    }),
  )
})
