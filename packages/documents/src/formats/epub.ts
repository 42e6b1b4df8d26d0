import { posix } from 'node:path'
import { DocumentError, type Limits, type ParsedDocument } from '../document.ts'
import { TextWriter } from '../text-writer.ts'
import { decodeXml, Zip } from '../zip.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { markdownDocument } from './markdown.ts'
import { childrenNamed, descendant, descendants, joinedText, parseXml, type XmlElement } from './xml.ts'

interface Item {
  path: string
  mediaType: string
  isContents: boolean
}

/** Reads the chapters in order. A chapter without a heading gets its title from the table of contents. */
export function parseEpub(bytes: Uint8Array, limits: Limits): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const packagePath = findPackagePath(zip)
  const book = parseXml(zip.text(packagePath) ?? '')
  const items = manifest(book, posix.dirname(packagePath))
  const chapters = spine(book, items).filter(({ isContents }) => !isContents)
  refuseEncrypted(zip, chapters)
  const titles = chapterTitles(zip, [...items.values()])
  const writer = new TextWriter(limits.textCharacters)
  const warnings = new Set<string>()
  const paths = new Set(chapters.map(({ path }) => path))
  const pages = zip.unpack((name) => paths.has(name))
  for (const { path } of chapters) {
    const page = pages[path]
    if (!page) {
      warnings.add('Some chapters that the book lists are missing in it.')
      continue
    }
    const content = markdownFromHtml(asHtml(decodeXml(page)))
    for (const warning of content.warnings) warnings.add(warning)
    if (content.markdown === '') continue
    const title = titles.get(path)
    if (writer.length > 0) writer.write('\n\n')
    if (title && !/^#{1,6} /m.test(content.markdown)) writer.write(`# ${title}\n\n`)
    writer.write(content.markdown)
  }
  return markdownDocument(writer.toString(), readMetadata(book), [...warnings])
}

function findPackagePath(zip: Zip): string {
  const container = parseXml(zip.text('META-INF/container.xml') ?? '')
  const path = descendant(container, 'rootfile')?.attributes['full-path'] ?? zip.names(/\.opf$/i)[0]
  if (path === undefined || !zip.has(path))
    throw new DocumentError('broken', 'The book is damaged: its list of contents is missing.')
  return path
}

function manifest(book: XmlElement, folder: string): Map<string, Item> {
  const items = new Map<string, Item>()
  for (const { attributes } of descendants(book, 'item')) {
    const { id, href, properties = '' } = attributes
    if (id === undefined || href === undefined) continue
    const isContents = properties.split(/\s+/).includes('nav')
    items.set(id, { path: resolved(folder, href), mediaType: attributes['media-type'] ?? '', isContents })
  }
  return items
}

function spine(book: XmlElement, items: Map<string, Item>): Item[] {
  const list = descendant(book, 'spine')
  if (!list) throw new DocumentError('broken', 'The book is damaged: it does not say in which order it is read.')
  return childrenNamed(list, 'itemref').flatMap(({ attributes }) => items.get(attributes.idref ?? '') ?? [])
}

function refuseEncrypted(zip: Zip, chapters: Item[]): void {
  const encryption = zip.text('META-INF/encryption.xml')
  if (encryption === undefined) return
  const locked = new Set(
    [...descendants(parseXml(encryption), 'CipherReference')].map(({ attributes }) => attributes.URI),
  )
  if (chapters.some(({ path }) => locked.has(path))) {
    throw new DocumentError('encrypted', 'The book is protected by digital rights management and cannot be read.')
  }
}

/** Titles by chapter, from the table of contents of EPUB 3 or of EPUB 2. */
function chapterTitles(zip: Zip, items: Item[]): Map<string, string> {
  const titles = new Map<string, string>()
  const add = (contents: string, href: string | undefined, title: string) => {
    const path = resolved(posix.dirname(contents), (href ?? '').split('#')[0] ?? '')
    const words = title.replace(/\s+/g, ' ').trim()
    if (words !== '' && !titles.has(path)) titles.set(path, words)
  }
  for (const { path, mediaType, isContents } of items) {
    if (isContents) {
      for (const link of descendants(parseXml(zip.text(path) ?? ''), 'a'))
        add(path, link.attributes.href, allText(link))
    } else if (mediaType === 'application/x-dtbncx+xml') {
      for (const point of descendants(parseXml(zip.text(path) ?? ''), 'navPoint')) {
        const label = descendant(point, 'navLabel')
        add(path, descendant(point, 'content')?.attributes.src, label ? joinedText(label, 'text') : '')
      }
    }
  }
  return titles
}

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** Expands self-closing XHTML elements: in HTML, a self-closing title would swallow the chapter. */
const asHtml = (xhtml: string): string =>
  xhtml.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, attributes: string) =>
    voidElements.test(name) ? tag : `<${name}${attributes}></${name}>`,
  )

const allText = (element: XmlElement): string => element.text + element.children.map(allText).join('')

function resolved(folder: string, href: string): string {
  let path = href
  try {
    path = decodeURIComponent(href)
  } catch {
    // not percent-encoded
  }
  return posix.join(folder, path)
}

function readMetadata(book: XmlElement): Record<string, string> {
  const fields = { title: 'title', author: 'creator', language: 'language', publisher: 'publisher', published: 'date' }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, name]) => {
      const value = descendant(descendant(book, 'metadata'), name)?.text.trim()
      return value ? [[field, value]] : []
    }),
  )
}
