import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { makeFolder } from './folder.ts'
import { freePort } from './free-port.ts'

export interface RedisServer {
  url: string
  port: number
  /** Starts it again after `stop`, on the same port and empty. */
  start(): Promise<void>
  /** Kills it. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** A temporary Redis that stores nothing. */
export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort()
  const folder = makeFolder('redis')
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
      stdio: 'ignore',
    })
    while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const stop = async () => {
    const ended = server && new Promise((resolve) => server?.once('exit', resolve))
    server?.kill('SIGKILL')
    server = undefined
    await ended
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
