import type { Fields } from '../config/kinds.ts'
import { importHttpNode } from './dify-http.ts'
import { importDatasets, importModel, modelSettings, type Notes } from './dify-parts.ts'
import { add, type Imported, listIn, objectIn, resourceName, textIn, withoutEmpty } from './imported.ts'

interface App {
  name: string
  description: string
  metadata: Fields
}

interface Node {
  id: string
  type: string
  title: string
  data: Fields
}

/** Nodes that an agent does by itself. */
const implied = new Set(['start', 'end', 'answer', ''])

/**
 * A graph becomes an agent for each of its language models, with the knowledge and the requests of the graph as tools.
 * The agent decides when to use them; the order of the graph is not carried over.
 */
export function importGraph(result: Imported, graph: Fields, { name, description, metadata }: App, note: Notes): void {
  const nodes = listIn(graph, 'nodes').map((node): Node => {
    const data = objectIn(node, 'data')
    return {
      id: textIn(node, 'id'),
      type: textIn(data, 'type'),
      title: resourceName(textIn(data, 'title'), textIn(data, 'type')),
      data,
    }
  })
  const tools: string[] = []
  const speakers: Node[] = []
  for (const node of nodes) {
    if (node.type === 'llm' || node.type === 'agent') speakers.push(node)
    else if (node.type === 'knowledge-retrieval') {
      const ids = listIn(node.data, 'dataset_ids').map(String)
      tools.push(importDatasets(result, ids, objectIn(node.data, 'multiple_retrieval_config'), note))
    } else if (node.type === 'http-request') tools.push(importHttpNode(result, node.title, node.data, note))
    else if (!implied.has(node.type)) note(`the node "${node.title}" (${node.type}).`)
  }
  const kept = [...new Set(tools.filter(Boolean))]
  if (nodes.length > 3) note('the order of the nodes and their conditions: the agent decides when to use its tools.')
  if (speakers.length === 0) {
    note('there is no language model in the graph: the agent only has its tools.')
    add(result, 'agents', withoutEmpty({ name, description, tools: kept, metadata }))
  }
  for (const node of speakers) {
    const own = speakers.length === 1 ? name : resourceName(`${name}: ${node.title}`, name)
    const noteOf: Notes = (text) => note(speakers.length === 1 ? text : `${node.title}: ${text}`)
    add(
      result,
      'agents',
      withoutEmpty({ name: own, description, ...speakerFields(result, node, noteOf), tools: kept, metadata }),
    )
  }
}

function speakerFields(result: Imported, { type, data }: Node, note: Notes): Fields {
  if (type === 'agent') {
    const parameters = objectIn(data, 'agent_parameters')
    const model = objectIn(objectIn(parameters, 'model'), 'value')
    if (listIn(objectIn(parameters, 'tools'), 'value').length > 0)
      note('the tools of the agent node: add API tools or MCP servers.')
    return {
      system_prompt: withoutSelectors(textIn(objectIn(parameters, 'instruction'), 'value'), note),
      model: importModel(result, { provider: model.provider, name: model.model ?? model.name }, note),
    }
  }
  const model = objectIn(data, 'model')
  const { system, others } = promptOf(data)
  const said = others.filter((text) => !/^\s*(\{\{#sys\.query#\}\}|\{\{#context#\}\}|\s)*$/.test(text))
  if (said.length > 0)
    note(`${said.length === 1 ? 'a message' : `${said.length} messages`} of the prompt that are not from the system.`)
  return {
    system_prompt: withoutSelectors(system, note),
    model: importModel(result, model, note),
    ...modelSettings(objectIn(model, 'completion_params'), note),
    response_format: structuredOutput(data),
  }
}

function promptOf(data: Fields): { system: string; others: string[] } {
  const messages = listIn(data, 'prompt_template')
  if (messages.length === 0) return { system: textIn(objectIn(data, 'prompt_template'), 'text'), others: [] }
  const isSystem = (message: unknown) => textIn(message, 'role') === 'system'
  return {
    system: messages
      .filter(isSystem)
      .map((each) => textIn(each, 'text'))
      .join('\n\n'),
    others: messages.filter((each) => !isSystem(each)).map((each) => textIn(each, 'text')),
  }
}

const selector = /\{\{#([^#{}]+)#\}\}/g

/** `{{#node.variable#}}` is a value of another node, which does not exist here. */
function withoutSelectors(text: string, note: Notes): string {
  const used = [...new Set([...text.matchAll(selector)].map(([, name]) => name as string))]
  const lost = used.filter((name) => name !== 'context' && name !== 'sys.query')
  if (lost.length > 0) note(`values in the prompt: ${lost.join(', ')}. They are written as [name] now.`)
  return text
    .replace(selector, (_, name: string) => (lost.includes(name) ? `[${name.split('.').at(-1)}]` : ''))
    .slice(0, 200_000)
}

function structuredOutput(data: Fields): Fields | null {
  const schema = objectIn(objectIn(data, 'structured_output'), 'schema')
  if (data.structured_output_enabled !== true || Object.keys(schema).length === 0) return null
  return { type: 'json_schema', json_schema: { name: 'answer', schema } }
}
