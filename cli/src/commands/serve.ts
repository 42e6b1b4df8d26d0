import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command } from '../command.ts'
import { checkout } from '../connection.ts'

const program = fileURLToPath(new URL('../../../bin/parley.js', import.meta.url))

/** The flags of "npm start", which keep the memory of an idle service low. */
const nodeFlags = ['--max-semi-space-size=8', '--heap-growing-percent=60']

export const serve = command({
  name: 'serve',
  summary: 'Start the service: API, console and jobs',
  details: 'The same as "npm start". All other settings are environment variables: see docs/operations.md.',
  options: {
    port: { type: 'string', value: 'number', description: 'The port; 0 for any free one; or PORT; default: 3000' },
    host: { type: 'string', value: 'address', description: 'The address to listen on; or HOST; default: 127.0.0.1' },
    data: { type: 'string', value: 'folder', description: 'Database, keys and files; or DATA_DIR; default: data' },
  },
  examples: ['parley serve', 'parley serve --port 8080 --host 0.0.0.0', 'parley serve --data /var/lib/parley'],
  async run({ io, path }, _args, { port, host, data }) {
    const environment = {
      MALLOC_ARENA_MAX: '2',
      DATA_DIR: join(checkout, 'data'),
      ...io.environment,
      ...(port !== undefined && { PORT: port }),
      ...(host !== undefined && { HOST: host }),
      ...(data !== undefined && { DATA_DIR: path(data) }),
    }
    // Replaces this process, so that signals reach the service and no second process waits for it.
    if (process.execve) process.execve(process.execPath, [process.execPath, ...nodeFlags, program], environment)
    Object.assign(process.env, environment)
    await import('../../../server/src/main.ts')
    return undefined
  },
})
