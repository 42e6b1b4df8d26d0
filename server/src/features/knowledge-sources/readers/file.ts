import { uploadPath } from '../documents/files.ts'
import type { Item, Reader } from './reader.ts'

/** Reads uploaded files: the stored documents are all there is. */
export const readUploads: Reader = function* ({ ctx, workspace, source, known }) {
  for (const document of known.values()) {
    const { key, name, sha256, size, media_type } = document
    if (sha256 === null) continue
    const path = ctx.files.pathOf(uploadPath(workspace, source.id, document.id, sha256))
    yield {
      key,
      name,
      metadata: JSON.parse(document.given_metadata) as Item['metadata'],
      stamp: null,
      open: async () => ({
        sha256,
        size: Number(size),
        read: (signal) =>
          ctx.parser.parseDocument(path, {
            name,
            signal,
            key: workspace,
            ...(media_type !== null && { mediaType: media_type }),
          }),
      }),
    }
  }
  return undefined
}
