import { promisify } from 'node:util'
import { deflateRawSync, inflateRaw } from 'node:zlib'
import type { ReadDocument } from './document.ts'

const decompress = promisify(inflateRaw)

/** A document that was read, without its text, which stays packed. */
export interface PackedDocument {
  mediaType: string
  /** 0 for formats without pages. */
  pages: number
  /** The number of o200k_base tokens of its text. */
  tokens: number
  /** For `unpackDocument`. */
  packed: Uint8Array
}

/** Serializes a document for storage, without its attachments. */
export const packDocument = ({ packed, attachments: _, blankPages: __, ...document }: ReadDocument): Uint8Array =>
  packed ?? deflateRawSync(JSON.stringify(document), { level: 1 })

export const unpackDocument = async (bytes: Uint8Array): Promise<ReadDocument> =>
  JSON.parse((await decompress(bytes)).toString('utf8')) as ReadDocument
