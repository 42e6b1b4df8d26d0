import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../time.ts'
import type { Files } from './files.ts'
import { openFolder } from './folder.ts'

/** Fails with a `ConfigError` if files cannot be stored there. */
export async function openFiles(config: Pick<Config, 'files' | 'dataDir'>, log: Logger, now: Clock): Promise<Files> {
  if (config.files.type === 'folder') return openFolder(config.files.folder, now)
  const { openS3 } = await import('./s3.ts') // the AWS SDK takes a while to load
  return openS3(config.files, config.dataDir, log, now)
}
