import type { Parley, Schemas } from '../client.ts'
import type { Fields, Resource, Shape } from './resource.ts'

/** In a file: the newest version of the agent or prompt template, whatever its number is in that workspace. */
export const newest = 'newest'

/** A label of a file. Its API names the agent or the prompt template in the path, so it has no schema of all fields. */
export const labelShape: Shape = {
  label: { type: 'string', minLength: 1, maxLength: 63 },
  agent: { type: 'string' },
  prompt_template: { type: 'string' },
  version: { anyOf: [{ type: 'integer', minimum: 1 }, { const: newest }] },
  gate: { type: ['string', 'null'] },
}

/** A label is known by its name and that of its owner. */
export const labelIdentity = ({ label, agent, prompt_template, owner }: Fields): string =>
  `${label} of ${owner ?? (agent === undefined ? `prompt template ${prompt_template}` : `agent ${agent}`)}`

type Label = Schemas['Label'] | Schemas['TemplateLabel']
interface Owner {
  id: string
  name: string
  version: number
}

/** The labels of all agents and prompt templates, as rows like those of other resources. */
export function labelResource(client: Parley): Resource {
  const { agents, promptTemplates } = client
  const owners = (id: string) => (id.startsWith('agt_') ? agents : promptTemplates)
  const read = async (id: string): Promise<Fields[]> => {
    const labels: Label[] = await owners(id).labels(id).all()
    if (labels.length === 0) return []
    const owner: Owner = await owners(id).get(id)
    return labels.map((label) => toRow(owner, label))
  }
  const set = async (owner: string, label: string, { version, gate }: Fields): Promise<Fields> => {
    const { version: last } = await owners(owner).get(owner)
    const body = {
      version: version === newest ? last : Number(version),
      ...(gate !== undefined && { gate: gate === null ? null : { evaluation_id: String(gate) } }),
    }
    await owners(owner).setLabel(owner, label, body)
    return { id: `${owner}/${label}` }
  }
  const current = async (id: string): Promise<Fields> => {
    const [owner = ''] = id.split('/')
    const rows = await read(owner)
    return rows.find((row) => row.id === id) ?? {}
  }
  return {
    list: () => ({
      async all() {
        const found = [
          ...(await agents.list().all()),
          ...(await agents.list({ status: 'archived' }).all()),
          ...(await promptTemplates.list().all()),
        ]
        const rows: Fields[] = []
        for (const { id } of found) rows.push(...(await read(id)))
        return rows
      },
    }),
    get: current,
    create: ({ label, agent_id, prompt_template_id, ...body }) =>
      set(String(agent_id ?? prompt_template_id), String(label), body),
    async update(id, body) {
      const [owner = '', label = ''] = id.split('/')
      const { version } = await current(id)
      return set(owner, label, { version, ...body })
    },
    async delete(id) {
      const [owner = '', label = ''] = id.split('/')
      await owners(owner).deleteLabel(owner, label)
    },
  }
}

function toRow({ id, name, version: last }: Owner, { label, version, ...more }: Label): Fields {
  const isAgent = id.startsWith('agt_')
  const gate = 'gate' in more ? more.gate : null
  return {
    id: `${id}/${label}`,
    owner: `${isAgent ? 'agent' : 'prompt template'} ${name}`,
    label,
    [isAgent ? 'agent_id' : 'prompt_template_id']: id,
    version,
    is_newest: version === last,
    gate: gate?.evaluation_id ?? null,
  }
}
