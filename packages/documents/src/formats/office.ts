import { posix } from 'node:path'
import type { Zip } from '../zip.ts'
import { descendant, descendants, parseXml } from './xml.ts'

export interface Relationship {
  type: string
  target: string
}

/** The relationships of a part of an Office document, by id. */
export function relationships(zip: Zip, part: string): Map<string, Relationship> {
  const folder = posix.dirname(part)
  const xml = zip.text(`${folder}/_rels/${posix.basename(part)}.rels`)
  const found = new Map<string, Relationship>()
  if (xml === undefined) return found
  for (const { attributes } of descendants(parseXml(xml), 'Relationship')) {
    const { Id, Type = '', Target = '', TargetMode } = attributes
    if (Id === undefined || TargetMode === 'External') continue
    const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
    found.set(Id, { type: Type.split('/').at(-1) ?? '', target })
  }
  return found
}

/** Title, author and other core properties. */
export function officeMetadata(zip: Zip): Record<string, string> {
  const xml = zip.text('docProps/core.xml')
  if (xml === undefined) return {}
  const properties = parseXml(xml)
  const fields = { title: 'title', author: 'creator', subject: 'subject', keywords: 'keywords', created: 'created' }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, name]) => {
      const value = descendant(properties, name)?.text.trim()
      return value ? [[field, value]] : []
    }),
  )
}
