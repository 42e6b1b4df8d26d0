import { agentCollection, find, findId, modelCollection, toolCollections } from '../collections.ts'
import { numberFlag } from '../input.ts'
import { resourceCommands } from '../resource.ts'

export const agents = resourceCommands({
  group: 'agents',
  noun: 'agent',
  collections: [agentCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'MODEL', value: ({ model_id }) => model_id ?? 'default' },
    { title: 'TOOLS', value: ({ tools }) => (tools as string[]).length, right: true },
    { title: 'CREATED', value: ({ created_at }) => created_at },
    { title: 'DESCRIPTION', value: ({ description }) => description },
  ],
  create: {
    options: {
      name: { type: 'string', description: 'The name' },
      description: { type: 'string', description: 'What it is for' },
      prompt: { type: 'string', description: 'The system prompt' },
      model: { type: 'string', value: 'model', description: 'Id or name of a model; default: that of the workspace' },
      temperature: { type: 'string', value: 'number', description: 'From 0 to 2' },
      tool: { type: 'string', multiple: true, value: 'tool', description: 'Id or name of a tool; may be repeated' },
    },
    examples: [
      'parley agents create --name Support --prompt "Answer from the handbook." --tool Handbook',
      'parley agents create --file agent.yaml',
      'parley agents get Support --json | parley agents create --file - --name "Support 2"',
      'parley agents create --name Terse --set max_tokens=200 --set metadata.team=docs',
    ],
    async fields({ client }, { name, description, prompt, model, temperature, tool }) {
      const references =
        tool &&
        (await Promise.all(tool.map(async (each) => find(await client(), Object.values(toolCollections), each))))
      return {
        name,
        description,
        system_prompt: prompt,
        model_id: model && (await findId(await client(), modelCollection, model)),
        temperature: numberFlag('temperature', temperature, { integer: false }),
        tools: references?.map(({ id }) => id),
      }
    },
  },
})
