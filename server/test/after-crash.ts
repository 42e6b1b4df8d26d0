import { cpSync } from 'node:fs'
import { folderOfTest } from './folder.ts'

/** A copy of the data folder as a crash at this moment would leave it. */
export function asAfterCrash(environment: Record<string, string>): Record<string, string> {
  const folder = folderOfTest()
  cpSync(environment.DATA_DIR ?? '', folder, { recursive: true })
  return { ...environment, DATA_DIR: folder }
}
