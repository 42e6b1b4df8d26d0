import { isUtf8 } from 'node:buffer'
import { detectType, type FileHints, takeSample } from './detect.ts'
import { DocumentError, type Limits, type ReadDocument, type Source } from './document.ts'
import { parseBytes } from './parse.ts'
import { fileSize, readSource } from './read-source.ts'

/** Reading this much takes milliseconds. */
const maxBytes = 50_000

/** Reads a short text in UTF-8. Null for anything else, and for a text that cannot be read. */
export async function readShortText(source: Source, hints: FileHints, limits: Limits): Promise<ReadDocument | null> {
  try {
    if ((await fileSize(source, limits)) > maxBytes) return null
    const bytes = await readSource(source, limits)
    if (!isUtf8(bytes) || !['txt', 'md'].includes(detectType(takeSample(bytes), hints).format)) return null
    return await parseBytes(bytes, hints, limits)
  } catch (error) {
    if (error instanceof DocumentError) return null // explained by the process that reads all other files
    throw error
  }
}
