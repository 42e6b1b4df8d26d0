import { globSync } from 'node:fs'
import { readText, root } from './files.ts'

export interface Instruction {
  name: string
  value: string
}

export const readInstructions = (): Instruction[] =>
  readText('deploy/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
      return name && value ? [{ name, value }] : []
    })

/** Returns the source in the build context and the target of a COPY; null for a COPY from another stage. */
export function copiedFromContext({ name, value }: Instruction): { sources: string[]; target: string } | null {
  if (name !== 'COPY' || value.startsWith('--from')) return null
  const paths = value.split(' ')
  return { sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}

/** The files that Docker sends to a build: those that Dockerfile.dockerignore does not leave out. */
export function contextFiles(): string[] {
  const rules = readText('deploy/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toPattern(line.replace('!', '')) }))
  const isKept = (path: string) => rules.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true
  const exclude = (name: string) => name === 'node_modules' || name === '.git'
  return globSync(['**/*', '**/.*'], { cwd: root, exclude }).filter(isKept)
}

/** Docker's patterns: the last that matches a path, or a folder that it is in, decides. */
const toPattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**/', '(?:.*/)?')
      .replaceAll(/(?<![.)])\*\*/g, '.*')
      .replaceAll(/(?<![.)])\*(?!\*)/g, '[^/]*')}(?:/.*)?$`,
  )
