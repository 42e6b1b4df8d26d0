import { Parley } from '../client.ts'
import { command } from '../command.ts'
import { checkedUrl } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { readProfiles, writeProfiles } from '../profiles.ts'
import { askLine, readSecret } from '../prompt.ts'

export const login = command({
  name: 'login',
  summary: 'Save the URL and token of a service as a profile',
  details: `The token is asked for without showing it, or read from stdin. It is checked, then saved in a file that only you can read
($XDG_CONFIG_HOME/parley/profiles.json, mode 0600). The profile becomes the current one.`,
  options: {
    url: { type: 'string', value: 'url', description: 'The service; or PARLEY_URL; asked for in a terminal' },
    profile: { type: 'string', value: 'name', description: 'The name of the profile; default: "default"' },
    workspace: { type: 'string', value: 'id', description: 'For owner tokens: the workspace to work in' },
  },
  examples: [
    'parley login --url https://parley.example.com',
    'parley login --url http://127.0.0.1:3000 < data/owner-token',
    'parley login --profile staging --url https://staging.example.com',
  ],
  async run({ io, out }, _args, { profile: name = 'default', workspace = null, ...flags }) {
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new UsageError('The name of a profile has letters, digits, ".", "_" and "-".')
    const asked = flags.url ?? io.environment.PARLEY_URL
    if (asked === undefined && !io.stdin.isTTY) throw new UsageError('Pass the service: --url https://…')
    const url = checkedUrl(asked ?? (await askLine(io, 'URL: ')), '--url')
    const existing = readProfiles(io.environment)
    const token = await readSecret(io, 'Token: ')
    const me = await new Parley({ baseUrl: url, token, workspace }).me()
    const profiles = { ...existing.profiles, [name]: { url, token, ...(workspace && { workspace }) } }
    const file = writeProfiles(io.environment, { current: name, profiles })
    out.line(
      `Signed in to ${url} as ${me.role} of workspace ${me.workspace.name}. Saved as profile "${name}" in ${file}.`,
    )
    return 0
  },
})
