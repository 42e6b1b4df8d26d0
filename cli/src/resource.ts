import { type Collection, find, type Row } from './collections.ts'
import { type Command, command } from './command.ts'
import { UsageError } from './failures.ts'
import { numberFlag, readObject, setField } from './input.ts'
import { jsonOption, type Options, type Values } from './options.ts'
import { confirm } from './prompt.ts'
import type { Session } from './session.ts'
import type { Column } from './table.ts'

export interface ResourceCommands<O extends Options> {
  /** The first word of its commands. */
  group: string
  /** One of them, in messages. */
  noun: string
  collections: Collection[]
  columns: Column<Row>[]
  create: {
    options: O
    details?: string
    examples: string[]
    /** The fields that flags set. They come before those of a file. */
    fields(session: Session, values: Values<O>): Promise<Record<string, unknown>>
    /** The collection of a new resource, if there are several. */
    target?(values: Values<O>): Collection
  }
}

/** The commands of a resource: list, get, create, delete. */
export function resourceCommands<const O extends Options>(resource: ResourceCommands<O>): Command[] {
  return [listCommand(resource), getCommand(resource), createCommand(resource), deleteCommand(resource)]
}

export type Named = Pick<ResourceCommands<Options>, 'group' | 'noun' | 'collections' | 'columns'>

export const listCommand = ({ group, noun, collections, columns }: Named) =>
  command({
    name: `${group} list`,
    summary: `List the ${noun}s`,
    connects: true,
    options: {
      query: { type: 'string', short: 'q', value: 'text', description: 'Only with this text in name or description' },
      limit: { type: 'string', value: 'number', description: 'At most this many; default: all' },
      json: jsonOption,
    },
    examples: [`parley ${group} list`, `parley ${group} list --query billing --json`],
    async run({ out, isJson, client }, _args, { query, limit }) {
      const max = numberFlag('limit', limit, { min: 1 })
      const connected = await client()
      const lists = await Promise.all(
        collections.map((collection) =>
          collection
            .of(connected)
            .list(query ? { q: query } : {})
            .all(max),
        ),
      )
      const rows = lists.flat().slice(0, max)
      if (isJson) out.json(rows)
      else if (rows.length > 0) out.table(columns, rows)
      else if (query) out.line(`No ${noun} matches "${query}".`)
      else out.line(`There is no ${noun} yet. Create one: parley ${group} create --help`)
      return 0
    },
  })

const getCommand = ({ group, noun, collections }: Named) =>
  command({
    name: `${group} get`,
    summary: `Show one ${noun} with all its fields, as YAML or JSON`,
    args: `<${noun}>`,
    details: `<${noun}> is an id or a name.`,
    connects: true,
    options: { json: jsonOption },
    examples: [`parley ${group} get "My ${noun}"`, `parley ${group} get "My ${noun}" --json > ${noun}.json`],
    async run({ out, isJson, client }, [reference = '']) {
      const connected = await client()
      const { collection, id } = await find(connected, collections, reference)
      const row = await collection.of(connected).get(id)
      if (isJson) out.json(row)
      else {
        const { stringify } = await import('yaml')
        out.text(stringify(row, { lineWidth: 0 }))
      }
      return 0
    },
  })

const sharedCreateOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'file',
    description: 'Take the fields from a JSON or YAML file; - for stdin',
  },
  set: {
    type: 'string',
    multiple: true,
    value: 'field=value',
    description: 'Set any field of the API; the value is text or JSON',
  },
  json: jsonOption,
} as const satisfies Options

function createCommand<O extends Options>({ group, noun, collections, create }: ResourceCommands<O>): Command {
  const created = command({
    name: `${group} create`,
    summary: `Create ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`,
    details: create.details ?? 'Flags come before the fields of a file.',
    connects: true,
    options: { ...create.options, ...sharedCreateOptions },
    examples: create.examples,
    async run(session, _args, values) {
      const { out, isJson, client } = session
      const { file, set = [] } = values as Values<typeof sharedCreateOptions>
      const body = file === undefined ? {} : await readObject(session, file)
      const flags = await create.fields(session, values as Values<O>)
      for (const [name, value] of Object.entries(flags)) if (value !== undefined) body[name] = value
      for (const assignment of set) setField(body, assignment)
      if (Object.keys(body).length === 0) throw new UsageError('Pass fields by flags, --set or --file.')
      const target = create.target?.(values as Values<O>) ?? collections[0]
      if (target === undefined) throw new UsageError('Pass --kind.')
      const row = await target.of(await client()).create(body)
      if (isJson) out.json(row)
      else out.line(`Created ${target.noun} ${row.name} (${row.id}).`)
      return 0
    },
  })
  return created
}

export const deleteCommand = ({ group, noun, collections }: Named) =>
  command({
    name: `${group} delete`,
    summary: `Delete one ${noun}`,
    args: `<${noun}>`,
    details: `<${noun}> is an id or a name. Asks first in a terminal; elsewhere it needs --yes.`,
    connects: true,
    options: { yes: { type: 'boolean', short: 'y', description: 'Do not ask' } },
    examples: [`parley ${group} delete "My ${noun}"`, `parley ${group} delete "My ${noun}" --yes`],
    async run({ io, out, client }, [reference = ''], { yes }) {
      const connected = await client()
      const { collection, id } = await find(connected, collections, reference)
      const { name } = await collection.of(connected).get(id)
      if (!(await confirm(io, `Delete ${collection.noun} ${name} (${id})?`, yes))) {
        out.line('Nothing was deleted.')
        return 1
      }
      await collection.of(connected).delete(id)
      out.line(`Deleted ${collection.noun} ${name} (${id}).`)
      return 0
    },
  })
