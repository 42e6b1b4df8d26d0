import { promisify } from 'node:util'
import { deflateRawSync, inflateRaw } from 'node:zlib'
import type { ReadDocument } from './parse.ts'

const decompress = promisify(inflateRaw)

/** What a parser made of a document, as it is stored: citations point into exactly this text. */
export const packDocument = ({ packed, ...document }: ReadDocument): Uint8Array =>
  packed ?? deflateRawSync(JSON.stringify(document), { level: 1 })

export const unpackDocument = async (bytes: Uint8Array): Promise<ReadDocument> =>
  JSON.parse((await decompress(bytes)).toString('utf8')) as ReadDocument
