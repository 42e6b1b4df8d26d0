import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { longestAddress } from './page-address.ts'
import { readTags } from './tags.ts'

export interface Sitemap {
  pages: string[]
  /** Further sitemaps, where this one is an index of them. */
  sitemaps: string[]
}

export const mostSitemapBytes = 50 * 1024 * 1024
const mostEntries = 50_000
const unpack = promisify(gunzip)

/**
 * Reads a sitemap or an index of sitemaps: XML, or plain text with one address to a line, packed or not. Fails for
 * whatever else stands at its address, and for half of one: it would look as if the pages were gone.
 */
export async function readSitemap(bytes: Buffer): Promise<Sitemap> {
  const plain =
    bytes[0] === 0x1f && bytes[1] === 0x8b ? await unpack(bytes, { maxOutputLength: mostSitemapBytes }) : bytes
  const text = plain.toString('utf8').replace(/^\uFEFF/, '')
  return /^\s*</.test(text.slice(0, 1000)) ? fromXml(text) : fromLines(text)
}

function fromLines(text: string): Sitemap {
  const pages = text
    .split(/\r\n|\r|\n/, mostEntries)
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
  let isWhole = false
  const isFull = () => pages.length + sitemaps.length >= mostEntries
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
        if (location !== null && location.length < longestAddress) location += part
      },
      close(name) {
        if (name === 'loc' && location !== null) {
          if (location.trim() !== '') list?.push(location.trim())
          location = null
        } else if (name === 'url' || name === 'sitemap') list = null
        else if (name === root) isWhole = true
      },
      enough: isFull,
    },
    { xml: true },
  )
  if (root !== 'urlset' && root !== 'sitemapindex') throw new Error('it is not a sitemap.')
  if (!isWhole && !isFull()) throw new Error('it breaks off before its end.')
  return { pages: pages.slice(0, mostEntries), sitemaps: sitemaps.slice(0, mostEntries) }
}
