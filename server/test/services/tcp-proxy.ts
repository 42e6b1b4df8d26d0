import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy {
  port: number
  /** Drops all data of open connections without closing them. With `all`, of new ones too. */
  drop(which?: 'open' | 'all'): void
  /** New connections work again. Dropped ones stay silent. */
  restore(): void
  /** Closes all connections. */
  cut(): void
  /** Each packet arrives this many milliseconds later. */
  delay(milliseconds: number): void
  close(): void
}

/** A proxy that can lose, cut and delay connections, as a network does. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let dropsNew = false
  let wait = 0
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const slow = () =>
    new Transform({
      transform(chunk, _encoding, pass) {
        if (wait === 0) pass(null, chunk)
        else setTimeout(() => pass(null, chunk), wait)
      },
    })
  const server = createServer((client) => {
    track(client)
    if (dropsNew) return
    const upstream = connect(target)
    track(upstream)
    client.pipe(slow()).pipe(upstream).pipe(slow()).pipe(client)
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    drop(which = 'open') {
      dropsNew = which === 'all'
      for (const socket of sockets) socket.unpipe().pause()
    },
    restore() {
      dropsNew = false
    },
    cut,
    delay(milliseconds) {
      wait = milliseconds
    },
    close() {
      cut()
      server.close()
    },
  }
}
