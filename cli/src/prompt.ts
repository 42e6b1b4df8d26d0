import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { clean } from './text.ts'

/** All of stdin. */
export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** One line that a person types. The question goes to stderr, because stdout may be a file. */
export async function askLine(io: Io, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: Boolean(io.stdin.isTTY) })
  try {
    return (await lines.question(clean(question))).trim()
  } finally {
    lines.close()
  }
}

/** A secret: typed without echo, or all of stdin if it is not a terminal. */
export async function readSecret(io: Io, question: string): Promise<string> {
  if (!io.stdin.isTTY) {
    const secret = (await readStdin(io)).trim()
    if (secret === '') throw new UsageError('Nothing was read from stdin.')
    return secret
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: silent, terminal: true })
  io.stderr.write(clean(question))
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    io.stderr.write('\n')
  }
}

/** Asks before something that cannot be undone. Without a terminal, `--yes` is required. */
export async function confirm(io: Io, question: string, isConfirmed: boolean | undefined): Promise<boolean> {
  if (isConfirmed) return true
  if (!io.stdin.isTTY) throw new UsageError('Pass --yes: there is no terminal to ask.')
  return /^y(es)?$/i.test(await askLine(io, `${question} [y/N] `))
}
