import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser } from 'htmlparser2'

export interface Sitemap {
  pages: string[]
  /** Further sitemaps, where this one is an index of them. */
  sitemaps: string[]
}

export const mostSitemapBytes = 50 * 1024 * 1024
const mostEntries = 50_000
const sliceLength = 64 * 1024
const unpack = promisify(gunzip)

/** Reads a sitemap or an index of sitemaps: XML, or plain text with one address to a line, packed or not. */
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
  return { pages, sitemaps: [] }
}

async function fromXml(text: string): Promise<Sitemap> {
  const pages: string[] = []
  const sitemaps: string[] = []
  let list: string[] | null = null
  let location: string | null = null
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'url') list = pages
        else if (name === 'sitemap') list = sitemaps
        else if (name === 'loc' && list) location = ''
      },
      ontext(part) {
        if (location !== null && location.length < 4000) location += part
      },
      onclosetag(name) {
        if (name === 'loc' && location !== null) {
          if (location.trim() !== '') list?.push(location.trim())
          location = null
        } else if (name === 'url' || name === 'sitemap') list = null
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < text.length && pages.length + sitemaps.length < mostEntries; at += sliceLength) {
    parser.write(text.slice(at, at + sliceLength))
    await breathe()
  }
  parser.end()
  return { pages: pages.slice(0, mostEntries), sitemaps: sitemaps.slice(0, mostEntries) }
}
