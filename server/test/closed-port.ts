import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A port of loopback that refuses connections. It is the client's end of an open connection, so that nobody else can
 * listen on it while the test runs.
 */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  onTestFinished(() => {
    client.destroy()
    accepted.destroy()
    server.close()
  })
  return client.localPort as number
}
