import { join } from 'node:path'
import { command } from '../command.ts'
import { checkout } from '../connection.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Copy a data folder into an empty cluster: rows, files and secrets',
  details: `Set FILES_URL (with AWS_… for s3://) and SECRET_KEY as for the nodes of the cluster. Without FILES_URL the files stay
where they are; without SECRET_KEY the secrets stay under the key of the folder. If the process of the folder had a
SECRET_KEY of its own, set FROM_SECRET_KEY to it.

Stop the process that uses the folder first. The folder stays as it is, but its schema is upgraded to this version. If the
copy fails, run the same command again: it starts over. At the end, rows and files are compared by number and hash.`,
  options: {
    to: { type: 'string', value: 'url', description: 'The empty database of the cluster: postgres://…' },
    from: { type: 'string', value: 'folder', description: 'The data folder; or DATA_DIR; default: data' },
    'from-files': {
      type: 'string',
      value: 'url',
      description: 'Where its files are, if its process had FILES_URL: file:///… or s3://…',
    },
  },
  examples: ['parley migrate --to postgres://user:password@host/database'],
  async run({ io, out, path }, _args, { to, from, 'from-files': fromFiles }) {
    const { migrate } = await import('../../../server/src/migrate/command.ts')
    const options = { to, from: from && path(from), fromFiles }
    await migrate(options, { DATA_DIR: join(checkout, 'data'), ...io.environment }, (line) => out.line(line))
    return 0
  },
})
