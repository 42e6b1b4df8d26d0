import { command } from '../command.ts'
import { CliError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import { confirm } from '../prompt.ts'

const list = command({
  name: 'connections list',
  summary: 'List connected accounts',
  details: 'Your own. Admins see those of one person with --user, and of everybody with --all.',
  connects: true,
  options: {
    user: { type: 'string', value: 'id', description: 'Of this person (admins)' },
    all: { type: 'boolean', description: 'Of everybody, and of the workspace (admins)' },
    json: jsonOption,
  },
  examples: ['parley connections list', 'parley connections list --all --json'],
  async run({ out, isJson, client }, _args, { user, all }) {
    const query = { ...(user !== undefined && { user_id: user }), ...(all && { all: true }) }
    const rows = await (await client()).connections.list(query).all()
    if (isJson) out.json(rows)
    else if (rows.length === 0) out.line('No account is connected. Connect one: parley connections connect <tool>')
    else
      out.table(
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'TOOL', value: ({ tool_name }) => tool_name },
          { title: 'ACCOUNT', value: ({ account, user_id }) => user_id ?? account },
          { title: 'ISSUER', value: ({ issuer }) => issuer },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'LAST USED', value: ({ last_used_at }) => last_used_at },
        ],
        rows,
      )
    return 0
  },
})

const connect = command({
  name: 'connections connect',
  summary: 'Connect an account to a tool',
  args: '<tool>',
  details:
    '<tool> is the id or name of an API tool with oauth2. Prints the address to open in a browser; it works once.',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley connections connect calendar'],
  async run({ out, err, isJson, client }, [reference = '']) {
    const connected = await client()
    const tools = await connected.connections.tools()
    const known = tools.find(({ tool_id: id, tool_name: name }) => id === reference || name === reference)
    if (!known) {
      const names = tools.map(({ tool_name: name }) => name).join(', ')
      throw new CliError(
        `There is no tool "${reference}" that you can connect an account to.`,
        names === '' ? 'No tool uses accounts.' : `Tools that use accounts: ${names}`,
      )
    }
    const { tool_id } = known
    const { authorize_url } = await connected.connections.connect({ tool_id })
    if (isJson) out.json({ authorize_url })
    else {
      out.line(authorize_url)
      err.line('Open this address in your browser to connect the account.')
    }
    return 0
  },
})

const remove = command({
  name: 'connections remove',
  summary: 'Disconnect an account',
  args: '<id>',
  details:
    'Deletes its tokens, and revokes them at the provider where it can. Asks first in a terminal; elsewhere it needs --yes.',
  connects: true,
  options: { yes: { type: 'boolean', short: 'y', description: 'Do not ask' } },
  examples: ['parley connections remove con_01k9z8q4m6e3v7t2w5x8y1a4bc --yes'],
  async run({ io, out, client }, [id = ''], { yes }) {
    const { connections } = await client()
    const { issuer } = await connections.get(id)
    if (!(await confirm(io, `Disconnect the account at ${issuer} (${id})?`, yes))) {
      out.line('Nothing was disconnected.')
      return 1
    }
    await connections.delete(id)
    out.line(`Disconnected the account at ${issuer} (${id}).`)
    return 0
  },
})

export const connections = [list, connect, remove]
