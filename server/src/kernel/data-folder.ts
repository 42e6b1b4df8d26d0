import { mkdirSync } from 'node:fs'
import { ConfigError } from './config.ts'
import { reason } from './errors.ts'

export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(
      `The data folder ${dataDir} cannot be created (${reason(error)}). Set DATA_DIR to one that can.`,
    )
  }
}
