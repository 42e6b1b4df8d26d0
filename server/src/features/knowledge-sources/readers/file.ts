import { FileMissing } from '../../../kernel/files/files.ts'
import { uploadPath } from '../files/stored-files.ts'
import { readingOptions } from '../reading.ts'
import { type Item, type KnownDocument, type Reader, Unreadable } from './reader.ts'

/** Reads uploaded files. The stored documents are the whole source. */
export const readUploads: Reader = function* ({ ctx, workspace, source, known }) {
  for (const document of known.values()) {
    const { key, name, sha256, size, media_type } = document
    if (document.parent_id !== null) continue // an attachment is read with its mail
    if (sha256 === null) {
      yield refusedFile(document)
      continue
    }
    const path = uploadPath(workspace, source.id, document.id, sha256)
    yield {
      key,
      name,
      metadata: JSON.parse(document.given_metadata) as Item['metadata'],
      stamp: null,
      open: async () => ({
        sha256,
        size: Number(size),
        read: (signal, onProgress, onOcr) => {
          const hints = { name, ...(media_type !== null && { mediaType: media_type }) }
          return ctx.files
            .withLocal(path, (local) =>
              ctx.parser.parseDocument(local, {
                ...hints,
                ...readingOptions(workspace, source),
                signal,
                onProgress,
                onOcr,
              }),
            )
            .catch(unreadableIfMissing)
        },
      }),
    }
  }
  return undefined
}

function unreadableIfMissing(error: unknown): never {
  throw error instanceof FileMissing ? new Unreadable(error.message) : error
}

/** A file that the upload refused stays a failed document with the same reason. */
const refusedFile = ({ key, name, error }: KnownDocument): Item => ({
  key,
  name,
  metadata: {},
  stamp: null,
  open: () => Promise.reject(new Unreadable(error ?? 'The file was not stored.')),
})
