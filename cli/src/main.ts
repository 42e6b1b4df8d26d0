import { processIo } from './io.ts'
import { run } from './run.ts'

// A reader that stops early, such as "head", is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), processIo())
