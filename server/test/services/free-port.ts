import { createServer } from 'node:net'

/** Below the ephemeral ports of the system, so that no other process gets it before it is used. */
const first = 10_000
const count = 20_000
let next = (process.pid * 61) % count

/** A port that nobody listens on, for a program that has to be told one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % count)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
