import { command } from '../command.ts'
import { CliError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import { readProfiles, writeProfiles } from '../profiles.ts'

const missing = (name: string) => new CliError(`There is no profile "${name}".`, 'Run: parley profile list')

const list = command({
  name: 'profile list',
  summary: 'List the saved profiles, without their tokens',
  options: { json: jsonOption },
  examples: ['parley profile list'],
  async run({ io, out, isJson }) {
    const { current, profiles } = readProfiles(io.environment)
    const rows = Object.entries(profiles).map(([name, { url, token, workspace }]) => ({
      name,
      current: name === current,
      url,
      workspace: workspace ?? null,
      token_set: Boolean(token),
    }))
    if (isJson) out.json(rows)
    else if (rows.length === 0) out.line('There are no profiles. Save one: parley login')
    else {
      out.table(
        [
          { title: 'NAME', value: (row) => row.name },
          { title: 'CURRENT', value: (row) => (row.current ? 'yes' : '') },
          { title: 'URL', value: (row) => row.url },
          { title: 'WORKSPACE', value: (row) => row.workspace },
        ],
        rows,
      )
    }
    return 0
  },
})

const use = command({
  name: 'profile use',
  summary: 'Make a profile the current one',
  args: '<name>',
  examples: ['parley profile use staging'],
  async run({ io, out }, [name = '']) {
    const saved = readProfiles(io.environment)
    if (!Object.hasOwn(saved.profiles, name)) throw missing(name)
    writeProfiles(io.environment, { ...saved, current: name })
    out.line(`Commands now use profile "${name}".`)
    return 0
  },
})

const remove = command({
  name: 'profile delete',
  summary: 'Delete a profile with its token',
  args: '<name>',
  examples: ['parley profile delete staging'],
  async run({ io, out }, [name = '']) {
    const { current, profiles } = readProfiles(io.environment)
    if (!Object.hasOwn(profiles, name)) throw missing(name)
    const { [name]: _, ...rest } = profiles
    writeProfiles(io.environment, { current: current === name ? null : current, profiles: rest })
    out.line(`Deleted profile "${name}". Its token is still valid: revoke it in the console under Settings.`)
    return 0
  },
})

export const profiles = [list, use, remove]
