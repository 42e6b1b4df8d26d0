import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { maxUrlLength } from './page-url.ts'
import { readTags } from './tags.ts'

export interface Sitemap {
  pages: string[]
  /** Set if this is an index of sitemaps. */
  sitemaps: string[]
}

export const maxSitemapBytes = 50 * 1024 * 1024
const maxEntries = 50_000
const decompress = promisify(gunzip)

/**
 * Parses a sitemap or an index of sitemaps: XML, or text with one URL per line, optionally gzipped. Throws for other
 * content and for an incomplete sitemap, because its missing pages would look deleted.
 */
export async function readSitemap(bytes: Buffer): Promise<Sitemap> {
  const plain =
    bytes[0] === 0x1f && bytes[1] === 0x8b ? await decompress(bytes, { maxOutputLength: maxSitemapBytes }) : bytes
  const text = plain.toString('utf8').replace(/^\uFEFF/, '')
  return /^\s*</.test(text.slice(0, 1000)) ? fromXml(text) : fromLines(text)
}

function fromLines(text: string): Sitemap {
  const pages = text
    .split(/\r\n|\r|\n/, maxEntries)
    .flatMap((line) => (/^\s*https?:\/\//i.test(line) ? [line.trim()] : []))
  if (pages.length === 0) throw new Error('it is not a sitemap.')
  return { pages, sitemaps: [] }
}

async function fromXml(text: string): Promise<Sitemap> {
  const pages: string[] = []
  const sitemaps: string[] = []
  let list: string[] | null = null
  let location: string | null = null
  let root: string | null = null
  let isComplete = false
  const isFull = () => pages.length + sitemaps.length >= maxEntries
  await readTags(
    text,
    {
      open(name) {
        root ??= name
        if (name === 'url') list = pages
        else if (name === 'sitemap') list = sitemaps
        else if (name === 'loc' && list) location = ''
      },
      text(part) {
        if (location !== null && location.length < maxUrlLength) location += part
      },
      close(name) {
        if (name === 'loc' && location !== null) {
          if (location.trim() !== '') list?.push(location.trim())
          location = null
        } else if (name === 'url' || name === 'sitemap') list = null
        else if (name === root) isComplete = true
      },
      isDone: isFull,
    },
    { xml: true },
  )
  if (root !== 'urlset' && root !== 'sitemapindex') throw new Error('it is not a sitemap.')
  if (!isComplete && !isFull()) throw new Error('it is incomplete.')
  return { pages: pages.slice(0, maxEntries), sitemaps: sitemaps.slice(0, maxEntries) }
}
