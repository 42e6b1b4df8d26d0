import { createHash } from 'node:crypto'
import { readingSettings } from '../reading.ts'
import type { SourceRow } from '../store.ts'

/** Increase it when the parser changes, so that unchanged files are parsed again. */
const parserVersion = 5

export function computeVersion(
  source: Pick<SourceRow, 'configuration'>,
  sha256: string,
  name: string,
  metadata: object,
): string {
  const settings = readingSettings(source)
  const parts = [parserVersion, sha256, name, metadata, ...(Object.keys(settings).length > 0 ? [settings] : [])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
