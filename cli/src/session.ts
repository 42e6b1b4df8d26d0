import { resolve } from 'node:path'
import type { Parley } from './client.ts'
import type { Connection } from './connection.ts'
import type { Io } from './io.ts'
import { type Printer, printerTo } from './printer.ts'

/** The input, output and connection of a running command. */
export interface Session {
  io: Io
  out: Printer
  err: Printer
  /** Whether the output is JSON. */
  isJson: boolean
  /** The path of a file that was named relative to the current folder. */
  path(name: string): string
  /** The URL and token of the service, from flags, environment and profile. */
  connection(): Connection
  /** The client of that service. */
  client(): Promise<Parley>
}

export function createSession(io: Io, isJson: boolean, connection: () => Connection): Session {
  let client: Promise<Parley> | null = null
  const connect = async (): Promise<Parley> => {
    const { url, token, workspace } = connection()
    const { Parley } = await import('./client.ts')
    return new Parley({ baseUrl: url, token, workspace, headers: { 'user-agent': 'parley-cli' } })
  }
  return {
    io,
    isJson,
    out: printerTo(io.stdout, io),
    err: printerTo(io.stderr, io),
    path: (name) => resolve(io.folder, name),
    connection,
    client() {
      client ??= connect()
      return client
    },
  }
}
