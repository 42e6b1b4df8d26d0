import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { makeFolder } from './services/folder.ts'

/** Registers what to do when the test, or all tests of the file, have ended. */
export type Cleanup = (clean: () => void | Promise<void>) => void

/** A folder that is removed when the test ends. */
export function folderOfTest(cleanup: Cleanup = onTestFinished): string {
  const folder = makeFolder('test')
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
