import { promisify } from 'node:util'
import { deflateRawSync, inflateRaw } from 'node:zlib'
import type { ReadDocument } from './document.ts'

const decompress = promisify(inflateRaw)

/** Serializes a document for storage. */
export const packDocument = ({ packed, ...document }: ReadDocument): Uint8Array =>
  packed ?? deflateRawSync(JSON.stringify(document), { level: 1 })

export const unpackDocument = async (bytes: Uint8Array): Promise<ReadDocument> =>
  JSON.parse((await decompress(bytes)).toString('utf8')) as ReadDocument
