import { command } from '../command.ts'
import { planOptions } from './apply.ts'

export const diff = command({
  name: 'diff',
  summary: 'Show what "apply" would change, with an exit code for CI',
  args: '<file>',
  details: `<file> is a file for "parley apply"; "-" is stdin. Nothing is written.

Exit codes: 0 nothing would change, 2 something would, 1 for any failure, also for wrong usage.`,
  connects: true,
  options: planOptions,
  usageCode: 1,
  examples: ['parley diff workspace.yaml', 'parley diff workspace.yaml --prune --json > differences.json'],
  async run(session, [name = ''], { prune, 'update-secrets': updateSecrets }) {
    const { diffSource, readSource } = await import('../config/apply.ts')
    const source = await readSource(session, name)
    return diffSource(session, source, { prune: prune ?? false, updateSecrets: updateSecrets ?? false })
  },
})
