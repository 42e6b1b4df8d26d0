import { onTestFinished } from 'vitest'
import { openTcpProxy, type TcpProxy } from './services/tcp-proxy.ts'

/** A proxy that is closed when the test ends. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const proxy = await openTcpProxy(target)
  onTestFinished(() => proxy.close())
  return proxy
}
