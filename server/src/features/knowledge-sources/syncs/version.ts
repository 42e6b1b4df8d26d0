import { createHash } from 'node:crypto'
import type { SourceRow } from '../store.ts'

/** Increase it when the parser changes, so that unchanged files are parsed again. */
const parserVersion = 3

export const versionOf = (
  { configuration }: Pick<SourceRow, 'configuration'>,
  sha256: string,
  name: string,
  metadata: object,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([parserVersion, sha256, name, metadata, ...(configuration.include_hidden ? ['hidden'] : [])]),
    )
    .digest('hex')
    .slice(0, 32)
