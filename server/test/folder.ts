import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { makeFolder } from './services/folder.ts'

/** A folder that is deleted when the test ends. */
export function folderOfTest(): string {
  const folder = makeFolder('test')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
