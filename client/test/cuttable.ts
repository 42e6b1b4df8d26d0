import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to the service that can be cut like a cable. */
export async function cuttable(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isUp = true
  const server = createServer((near) => {
    if (!isUp) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    }
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** Cuts, and refuses whoever comes. */
    down() {
      isUp = false
      cut()
    },
    up() {
      isUp = true
    },
  }
}
