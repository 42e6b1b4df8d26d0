import type { Socket } from 'node:net'
import type { App } from './app.ts'

const lookEvery = 50

/** Lets a stop wait for what is being answered, and not for connections that clients merely keep. */
export function closeUnusedConnections(app: App): void {
  const { server } = app
  const sockets = new Set<Socket>()

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const look = () => {
    server.closeIdleConnections()
    // One that has never asked for anything does not count as idle; browsers open some ahead.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  app.addHook('preClose', (done) => {
    const looking = setInterval(look, lookEvery).unref()
    server.once('close', () => clearInterval(looking))
    done()
  })
}
