import { tokenCollection } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'
import { numberFlag } from '../input.ts'
import { jsonOption } from '../options.ts'
import { deleteCommand, listCommand, type Named } from '../resource.ts'

const roles = ['viewer', 'user', 'editor', 'admin', 'owner'] as const

const named: Named = {
  group: 'token',
  noun: 'token',
  collections: [tokenCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'ROLE', value: ({ role, scopes }) => (Array.isArray(scopes) && scopes[0]) || role },
    { title: 'USER', value: ({ user_id }) => user_id },
    { title: 'EXPIRES', value: ({ expires_at }) => expires_at },
    { title: 'LAST USED', value: ({ last_used_at }) => last_used_at },
  ],
}

const create = command({
  name: 'token create',
  summary: 'Create a token, and print it once',
  details: 'The token is the only line on stdout. It cannot be shown again: only its hash is stored.',
  connects: true,
  options: {
    role: { type: 'string', value: 'role', description: `One of ${roles.join(', ')}; default: editor` },
    scope: { type: 'string', value: 'scope', description: 'metrics: it reads the metrics and does nothing else' },
    name: { type: 'string', description: 'What it is for; default: "cli"' },
    user: { type: 'string', value: 'id', description: 'Its user; required for the role user' },
    group: { type: 'string', multiple: true, value: 'name', description: 'A group of its user; may be repeated' },
    expires: { type: 'string', value: 'when', description: 'A number of days such as 30d, or a date; default: never' },
    'rate-limit': { type: 'string', value: 'number', description: 'Requests per minute; 0 for no limit' },
    json: jsonOption,
  },
  examples: [
    'parley token create --name ci --role editor --expires 90d',
    'export PARLEY_TOKEN=$(parley token create --role viewer)',
    'parley token create --role user --user ada --group finance',
    'parley token create --name prometheus --scope metrics',
  ],
  async run({ out, err, isJson, client }, _args, { name = 'cli', user, group, expires, ...values }) {
    const role = roles.find((each) => each === (values.role ?? 'editor'))
    if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}.`)
    if (values.scope !== undefined && values.scope !== 'metrics') throw new UsageError('--scope must be metrics.')
    const may = values.scope === undefined ? { role } : { scopes: ['metrics' as const] }
    const rateLimit = numberFlag('rate-limit', values['rate-limit'])
    const created = await (await client()).tokens.create({
      name,
      ...may,
      ...(user !== undefined && { user_id: user }),
      ...(group !== undefined && { groups: group }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires, Date.now()) }),
      ...(rateLimit !== undefined && { rate_limit: rateLimit }),
    })
    if (isJson) out.json(created)
    else {
      out.line(created.token)
      err.line(
        `Created ${created.name} (${created.id}) with ${values.scope ? `scope ${values.scope}` : `role ${created.role}`}. Keep the token: it is not shown again.`,
      )
    }
    return 0
  },
})

function parseExpiry(text: string, now: number): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  const time = days === undefined ? Date.parse(text) : now + Number(days) * 86_400_000
  if (Number.isNaN(time))
    throw new UsageError(`--expires must be days such as 30d, or a date such as 2027-01-31, but is "${text}".`)
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

export const tokens = [listCommand(named), create, deleteCommand(named)]
