import { agentCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import { confirm } from '../prompt.ts'

const user = { type: 'string', value: 'id', description: 'The user ID of a person' } as const

const list = command({
  name: 'memories list',
  summary: 'List what agents remember',
  connects: true,
  options: {
    user,
    query: { type: 'string', short: 'q', value: 'text', description: 'Only with this text' },
    json: jsonOption,
  },
  examples: ['parley memories list --user ada', 'parley memories list --query tea --json'],
  async run({ out, isJson, client }, _args, { user: user_id, query: q }) {
    const filter = { ...(user_id && { user_id }), ...(q && { q }), limit: 100 }
    const rows = await (await client()).memories.list(filter).all()
    if (isJson) out.json(rows)
    else if (rows.length === 0) out.line('Nothing is remembered.')
    else
      out.table(
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'USER', value: ({ user_id: id }) => id },
          { title: 'AGENT', value: ({ agent_id: id }) => id ?? 'all' },
          { title: 'MEMORY', value: ({ content }) => content },
        ],
        rows,
      )
    return 0
  },
})

const remove = command({
  name: 'memories delete',
  summary: 'Delete one memory, or everything that is remembered of a person',
  args: '[id]',
  details: 'Asks first in a terminal; elsewhere it needs --yes.',
  connects: true,
  options: { user, yes: { type: 'boolean', short: 'y', description: 'Do not ask' } },
  examples: [
    'parley memories delete mem_01k9z8q4m6e3v7t2w5x8y1a4bc',
    'parley memories delete --user ada --yes # everything',
  ],
  async run({ io, out, client }, [id], { user: user_id, yes }) {
    if ((id === undefined) === (user_id === undefined)) throw new UsageError('Pass the id of a memory, or --user.')
    const { memories } = await client()
    const what = id ?? `everything that is remembered of ${user_id}`
    if (!(await confirm(io, `Delete ${what}?`, yes))) {
      out.line('Nothing was deleted.')
      return 1
    }
    if (id !== undefined) await memories.delete(id)
    else if (user_id !== undefined) await memories.deleteAll({ user_id })
    out.line(`Deleted ${what}.`)
    return 0
  },
})

const add = command({
  name: 'memories add',
  summary: 'Write a fact that agents recall',
  args: '<text>',
  details: 'It is about a person (--user), belongs to an agent (--agent), or both.',
  connects: true,
  options: {
    user,
    agent: { type: 'string', value: 'agent', description: 'Id or name of the only agent that recalls it' },
    json: jsonOption,
  },
  examples: ['parley memories add "Prefers short answers" --user ada'],
  async run({ out, isJson, client }, [content = ''], { user: user_id, agent }) {
    const connected = await client()
    const agent_id = agent && (await findId(connected, agentCollection, agent))
    const memory = await connected.memories.create({
      content,
      ...(user_id && { user_id }),
      ...(agent_id && { agent_id }),
    })
    if (isJson) out.json(memory)
    else out.line(`Created ${memory.id}.`)
    return 0
  },
})

const edit = command({
  name: 'memories edit',
  summary: 'Change the text of a memory',
  args: '<id> <text>',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley memories edit mem_01k9z8q4m6e3v7t2w5x8y1a4bc "Prefers long answers"'],
  async run({ out, isJson, client }, [id = '', content = '']) {
    const memory = await (await client()).memories.update(id, { content })
    if (isJson) out.json(memory)
    else out.line(`Changed ${memory.id}.`)
    return 0
  },
})

const undo = command({
  name: 'memories undo',
  summary: 'Take back the last change of a memory',
  args: '<id>',
  details: 'Brings back the fact that it has replaced. A memory that has replaced none is deleted.',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley memories undo mem_01k9z8q4m6e3v7t2w5x8y1a4bc'],
  async run({ out, isJson, client }, [id = '']) {
    const memory = await (await client()).memories.undo(id)
    if (isJson) out.json(memory)
    else out.line(memory ? `Remembered again: ${memory.content}` : `Deleted ${id}.`)
    return 0
  },
})

export const memories = [list, add, edit, undo, remove]
