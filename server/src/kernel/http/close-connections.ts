import type { Socket } from 'node:net'
import type { App } from './app.ts'

const checkInterval = 50

/** On shutdown, waits for running requests but closes idle connections. */
export function closeUnusedConnections(app: App): void {
  const { server } = app
  const sockets = new Set<Socket>()

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const closeIdle = () => {
    server.closeIdleConnections()
    // Node does not count a connection without any request as idle. Browsers open some ahead.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  app.addHook('preClose', (done) => {
    const timer = setInterval(closeIdle, checkInterval).unref()
    server.once('close', () => clearInterval(timer))
    done()
  })
}
