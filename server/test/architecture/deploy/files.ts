import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The environment and the options of Node with which `npm start` runs. */
export function startCommand(): { environment: string[]; command: string[] } {
  const words = (JSON.parse(readText('package.json')).scripts.start as string).split(' ')
  const program = words.indexOf('node')
  return { environment: words.slice(0, program), command: words.slice(program) }
}

/** The settings that docs/operations.md lists. */
export const documentedSettings = (): Set<string> => {
  const rows = readText('docs/operations.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) +\|/gm)
  return new Set([...rows].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}
