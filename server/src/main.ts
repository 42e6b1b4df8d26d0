import type { Parley } from './app.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import { reason } from './kernel/errors.ts'
import { backlog } from './kernel/http/backlog.ts'

const shutdownTimeout = 30_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function exitWith(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  // Loaded after the settings are checked, so that errors in them are reported at once.
  const [{ createParley }] = await Promise.all([import('./app.ts'), config.role === 'worker' ? null : prepareConsole()])
  const parley = await createParley(config)
  const { port, role } = config
  const address = port === null ? null : await listen(parley, port)
  const work = role === 'worker' ? 'running jobs' : ''
  const service = address === null ? '' : `listening on ${address}`
  print(`Parley ${parley.ctx.version} is ${[work, service].filter(Boolean).join(' and ')}`)
  if (parley.ownerToken !== null && role !== 'worker') print(`Sign in: ${address}/#token=${parley.ownerToken}`)
  drainOnSignal(parley)
}

/** Builds the console if its sources are newer. If that fails, the API is still served. */
async function prepareConsole(): Promise<void> {
  try {
    const { buildConsole } = await import('../../console/build.ts')
    await buildConsole()
  } catch (error) {
    process.stderr.write(`The console could not be built, so only the API is served: ${reason(error)}\n`)
  }
}

async function listen({ app, ctx, close }: Parley, port: number): Promise<string> {
  const { host } = ctx.config
  try {
    await app.listen({ host, port, backlog })
  } catch (error) {
    await close(0)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError(
        `Port ${port} on ${host} is in use. Set PORT to another one, or stop the process that uses it.`,
      )
    if (code === 'EACCES') throw new ConfigError(`Permission denied for port ${port}. Set PORT to a number above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST=${host} is not an address of this machine.`)
    throw error
  }
  const [bound] = app.addresses()
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${typeof bound === 'object' ? bound.port : port}`
}

function drainOnSignal({ close }: Parley): void {
  let draining = false
  const drain = (): void => {
    if (draining) return
    draining = true
    close(shutdownTimeout).then(
      () => process.exit(0),
      (error) => exitWith(`Could not shut down cleanly: ${reason(error)}`),
    )
  }
  process.on('SIGTERM', drain)
  process.on('SIGINT', drain)
}

start().catch((error) =>
  exitWith(error instanceof ConfigError ? error.message : `Parley failed: ${(error as Error).stack ?? error}`),
)
