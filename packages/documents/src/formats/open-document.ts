import type { Zip } from '../zip.ts'
import { descendant, parseXml } from './xml.ts'

/** Title, author and other properties of an OpenDocument file. */
export function openDocumentMetadata(zip: Zip): Record<string, string> {
  const xml = zip.text('meta.xml')
  if (xml === undefined) return {}
  const properties = parseXml(xml)
  const fields = {
    title: 'title',
    author: 'creator',
    subject: 'subject',
    keywords: 'keyword',
    created: 'creation-date',
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, name]) => {
      const value = descendant(properties, name)?.text.trim()
      return value ? [[field, value]] : []
    }),
  )
}
