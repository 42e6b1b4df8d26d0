import { command } from '../command.ts'
import { jsonOption } from '../options.ts'

export const applyOptions = {
  'dry-run': { type: 'boolean', description: 'Only show what would change' },
  yes: { type: 'boolean', short: 'y', description: 'Do not ask' },
  'update-secrets': { type: 'boolean', description: 'Write all secrets again, also those that are set' },
  json: jsonOption,
} as const

const pruneOption = {
  type: 'boolean',
  description: 'Delete what the file does not have, in the sections that it has',
} as const

export const planOptions = {
  'update-secrets': applyOptions['update-secrets'],
  prune: pruneOption,
  json: jsonOption,
} as const

export const apply = command({
  name: 'apply',
  summary: 'Make a workspace what a YAML file says, after showing the differences',
  args: '<file>',
  details: `<file> is a file of "parley init" or "parley export", or written by hand; "-" is stdin. Resources are found by their name: those that do not exist
are created, others changed. What the file does not mention stays as it is. A field that a resource in the file does not
have is reset to its default, except secrets.

Secrets are \${env:NAME}: the variable of this command's environment. A secret that is set stays as it is, because it cannot
be compared, unless its last characters differ, the address changes, or with --update-secrets.`,
  connects: true,
  options: { ...applyOptions, prune: pruneOption },
  examples: [
    'parley apply workspace.yaml --dry-run',
    'parley apply workspace.yaml --yes',
    'PARLEY_MODEL_GPT_API_KEY=… parley apply workspace.yaml',
  ],
  async run(session, [name = ''], { 'dry-run': dryRun, yes, prune, 'update-secrets': updateSecrets }) {
    const { applySource, readSource } = await import('../config/apply.ts')
    const source = await readSource(session, name)
    return applySource(session, source, {
      dryRun: dryRun ?? false,
      yes: yes ?? false,
      prune: prune ?? false,
      updateSecrets: updateSecrets ?? false,
    })
  },
})
