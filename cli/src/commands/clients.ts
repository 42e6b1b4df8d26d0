import { command } from '../command.ts'
import { jsonOption } from '../options.ts'
import { confirm } from '../prompt.ts'

const list = command({
  name: 'clients list',
  summary: 'List the programs that you have connected to the MCP server',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley clients list'],
  async run({ out, isJson, client }) {
    const rows = await (await client()).connectedClients.list().all()
    if (isJson) out.json(rows)
    else if (rows.length === 0)
      out.line('No program is connected. A program that is given the address of /api/mcp asks.')
    else
      out.table(
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'PROGRAM', value: ({ name }) => name },
          { title: 'HOST', value: ({ client: host }) => host },
          { title: 'LAST USED', value: ({ last_used_at }) => last_used_at },
        ],
        rows,
      )
    return 0
  },
})

const remove = command({
  name: 'clients remove',
  summary: 'Disconnect a program from the MCP server',
  args: '<id>',
  details: 'Its tokens stop working at once. Asks first in a terminal; elsewhere it needs --yes.',
  connects: true,
  options: { yes: { type: 'boolean', short: 'y', description: 'Do not ask' } },
  examples: ['parley clients remove tok_01k9z8q4m6e3v7t2w5x8y1a4bc --yes'],
  async run({ io, out, client }, [id = ''], { yes }) {
    const { connectedClients } = await client()
    const { name } = await connectedClients.get(id)
    if (!(await confirm(io, `Disconnect ${name} (${id})?`, yes))) {
      out.line('Nothing was disconnected.')
      return 1
    }
    await connectedClients.delete(id)
    out.line(`Disconnected ${name} (${id}).`)
    return 0
  },
})

export const clients = [list, remove]
