import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The data folder as it is on the disk this very moment. */
export function asAfterCrash(environment: Record<string, string>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(environment.DATA_DIR ?? '', folder, { recursive: true })
  return { ...environment, DATA_DIR: folder }
}
