import { join } from 'node:path'
import { command } from '../command.ts'
import { checkout } from '../connection.ts'

const options = {
  data: { type: 'string', value: 'folder', description: 'The data folder; or DATA_DIR; default: data' },
} as const

export const backup = command({
  name: 'backup',
  summary: 'Copy a data folder, also while the service is running',
  args: '<folder>',
  details: `<folder> is a new folder. It appears when the backup is complete and has been checked.

It is the data folder at one instant: the database, the files that it names, the search index, the secret key and the
owner's token. Keep it as safe as the service itself. Set FILES_URL as the service has it.

For Postgres use pg_dump, and for files in a bucket the tools of its provider.`,
  options,
  examples: ['parley backup /backups/2026-11-17', 'parley backup /backups/today --data /var/lib/parley'],
  async run({ io, out, path }, [folder = ''], { data }) {
    const { backup } = await import('../../../server/src/backup/command.ts')
    const interruption = new AbortController()
    const listening = io.onInterrupt(() => interruption.abort())
    const settings = { folder: path(folder), data: data && path(data), signal: interruption.signal }
    try {
      await backup(settings, { DATA_DIR: join(checkout, 'data'), ...io.environment }, (line) => out.line(line))
    } finally {
      listening()
    }
    return 0
  },
})

export const restore = command({
  name: 'restore',
  summary: 'Check a backup and copy it into an empty data folder',
  args: '<folder>',
  details: `<folder> is a backup. All of it is checked before anything is written. If the command is interrupted, run it again.

Set FILES_URL as the service will have it.`,
  options: { ...options, check: { type: 'boolean', description: 'Only check that the backup is complete' } },
  examples: [
    'parley restore /backups/2026-11-17',
    'parley restore /backups/today --data /var/lib/parley',
    'parley restore /backups/today --check',
  ],
  async run({ io, out, path }, [folder = ''], { data, check }) {
    const { restore } = await import('../../../server/src/backup/command.ts')
    const settings = { folder: path(folder), data: data && path(data), check }
    await restore(settings, { DATA_DIR: join(checkout, 'data'), ...io.environment }, (line) => out.line(line))
    return 0
  },
})
