import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, rmSync } from 'node:fs'
import pg from 'pg'
import { findProgram } from './find.ts'
import { makeFolder } from './folder.ts'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** The URL of the database `postgres`. */
  url: string
  port: number
  /** Starts it again after `stop`. */
  start(): Promise<void>
  /** `fast` ends connections; `immediate` ends like a crash, and the next start recovers from the WAL. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  remove(): Promise<void>
}

const commonSettings = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  'max_connections=400',
  'listen_addresses=127.0.0.1',
]

/** A temporary Postgres with a folder of its own. */
export async function startPostgresServer(settings: string[]): Promise<PostgresServer> {
  const folder = makeFolder('postgres')
  const port = await freePort()
  const user = serverUser()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  execFileSync(required('initdb'), ['-D', folder, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  const allSettings = [...settings, ...commonSettings, `unix_socket_directories=${folder}`]
  const parameters = ['-D', folder, '-p', String(port), ...allSettings.flatMap((setting) => ['-c', setting])]
  const url = `postgres://parley@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(required('postgres'), parameters, { ...user, cwd: '/', stdio: 'ignore' })
    await untilAnswering(url, server)
  }
  const stop = async (mode: 'fast' | 'immediate') => {
    const ended = server && new Promise((resolve) => server?.once('exit', resolve))
    server?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    server = undefined
    await ended
  }
  await start()
  return {
    url,
    port,
    start,
    stop,
    async remove() {
      await stop('fast')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Postgres does not run as root, so root starts it as the user postgres. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function required(program: string): string {
  const path = findProgram(program)
  if (path === null) throw new Error(`${program} is not on this machine`)
  return path
}

async function untilAnswering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('Postgres exited at start')
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
