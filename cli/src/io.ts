import type { Readable, Writable } from 'node:stream'

export type Environment = Record<string, string | undefined>

export interface Output extends Pick<Writable, 'write'> {
  isTTY?: boolean
  columns?: number
}

interface Input extends Readable {
  isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** Everything that a command gets from its process. Tests pass their own. */
export interface Io {
  stdin: Input
  stdout: Output & Writable
  stderr: Output & Writable
  environment: Environment
  /** The folder that relative paths start from. */
  folder: string
  /** Calls a function at Ctrl-C instead of ending the process. Returns the function that removes it. */
  onInterrupt(call: () => void): () => void
}

export const processIo = (): Io => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  folder: process.cwd(),
  onInterrupt(call) {
    process.on('SIGINT', call)
    return () => process.off('SIGINT', call)
  },
})
