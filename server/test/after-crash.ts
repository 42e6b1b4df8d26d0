import { cpSync } from 'node:fs'
import { folderOfTest } from './folder.ts'

/** The data folder as it is on the disk this very moment. */
export function asAfterCrash(environment: Record<string, string>): Record<string, string> {
  const folder = folderOfTest()
  cpSync(environment.DATA_DIR ?? '', folder, { recursive: true })
  return { ...environment, DATA_DIR: folder }
}
