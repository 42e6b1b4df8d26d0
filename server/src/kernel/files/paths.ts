import type { FilePath } from './files.ts'

const validName = /^[\w-][\w.-]*$/

export const isValidName = (name: string): boolean => validName.test(name)

/** Names are joined to paths and keys, so none of them may lead elsewhere. */
export function checked(path: FilePath): FilePath {
  for (const name of path) if (!isValidName(name)) throw new Error(`"${name}" is not a valid file name.`)
  return path
}
