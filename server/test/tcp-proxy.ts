import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TcpProxy {
  port: number
  /** Drops what is sent over all open connections, without closing them. With `all`, also over new ones. */
  drop(which?: 'open' | 'all'): void
  /** New connections work again. Dropped ones stay silent. */
  restore(): void
}

/** A proxy that can lose packets, as a firewall or a failover does. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let dropsNew = false
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    track(client)
    if (dropsNew) return
    const upstream = connect(target)
    track(upstream)
    client.pipe(upstream).pipe(client)
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    drop(which = 'open') {
      dropsNew = which === 'all'
      for (const socket of sockets) socket.unpipe().pause()
    },
    restore() {
      dropsNew = false
    },
  }
}
