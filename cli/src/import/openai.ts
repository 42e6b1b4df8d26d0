import type { Fields } from '../config/kinds.ts'
import { CliError } from '../failures.ts'
import {
  add,
  emptyImport,
  type Imported,
  isObject,
  labels,
  listIn,
  numberIn,
  objectIn,
  placeholderHost,
  resourceName,
  textIn,
  toolName,
  within,
  withoutEmpty,
} from './imported.ts'

/** Assistants of OpenAI: one, a list of them, or the response of `GET /v1/assistants`. */
export function importOpenai(value: unknown): Imported {
  const assistants = assistantsIn(value)
  const result = emptyImport()
  for (const [index, assistant] of assistants.entries()) importAssistant(result, assistant, index)
  return result
}

function assistantsIn(value: unknown): Fields[] {
  const list = Array.isArray(value) ? value : listIn(value, 'data').length > 0 ? listIn(value, 'data') : [value]
  const assistants = list.filter(
    (each): each is Fields => isObject(each) && (each.object === 'assistant' || textIn(each, 'model') !== ''),
  )
  if (assistants.length === 0)
    throw new CliError(
      'There is no assistant in the file.',
      'It should be the JSON of GET https://api.openai.com/v1/assistants, or of one assistant.',
    )
  return assistants
}

const known = new Set(
  'id object created_at name description model instructions tools tool_resources metadata temperature top_p response_format reasoning_effort file_ids'.split(
    ' ',
  ),
)

function importAssistant(result: Imported, assistant: Fields, index: number): void {
  const id = textIn(assistant, 'id')
  const name = resourceName(textIn(assistant, 'name') || id, `Assistant ${index + 1}`)
  const note = (text: string) => result.notes.push(`${name}: ${text}`)
  const metadata = labels({ ...objectIn(assistant, 'metadata'), ...(id !== '' && { openai_assistant_id: id }) })
  const effort = textIn(assistant, 'reasoning_effort')
  if (effort !== '' && !['low', 'medium', 'high'].includes(effort))
    note(`reasoning_effort "${effort}" is not known here; choose low, medium or high.`)
  const fields = withoutEmpty({
    name,
    description: textIn(assistant, 'description').slice(0, 10_000),
    system_prompt: textIn(assistant, 'instructions').slice(0, 200_000),
    model: importModel(result, textIn(assistant, 'model')),
    temperature: within(numberIn(assistant, 'temperature'), 0, 2),
    top_p: within(numberIn(assistant, 'top_p'), 0, 1),
    reasoning_effort: ['low', 'medium', 'high'].includes(effort) ? effort : null,
    response_format: responseFormat(assistant.response_format, note),
    tools: importTools(result, assistant, note),
    metadata,
  })
  add(result, 'agents', fields)
  if (listIn(assistant, 'file_ids').length > 0)
    note('files of the assistant (file_ids): upload them to a knowledge source.')
  const others = Object.keys(assistant).filter((key) => !known.has(key) && assistant[key] !== null)
  if (others.length > 0) note(`fields that are not known here: ${others.join(', ')}.`)
}

function importModel(result: Imported, model: string): string {
  if (model === '') return ''
  return add(result, 'models', {
    name: resourceName(model, 'Model'),
    provider: 'openai',
    model_id: model.slice(0, 200),
    api_key: `\${env:OPENAI_API_KEY}`,
  })
}

function responseFormat(value: unknown, note: (text: string) => void): unknown {
  const type = textIn(value, 'type')
  if (type === 'json_object')
    note('response_format json_object: describe the object with a json_schema instead, so that replies are checked.')
  if (type !== 'json_schema') return null
  const given = objectIn(value, 'json_schema')
  const schema = objectIn(given, 'schema')
  if (Object.keys(schema).length === 0) {
    note('response_format json_schema without a schema.')
    return null
  }
  const json_schema = withoutEmpty({
    name: toolName(textIn(given, 'name'), 'answer'),
    description: textIn(given, 'description').slice(0, 10_000),
    schema,
    strict: typeof given.strict === 'boolean' ? given.strict : null,
  })
  return { type: 'json_schema', json_schema }
}

function importTools(result: Imported, assistant: Fields, note: (text: string) => void): string[] {
  const resources = objectIn(assistant, 'tool_resources')
  const names: string[] = []
  for (const tool of listIn(assistant, 'tools')) {
    const type = textIn(tool, 'type')
    if (type === 'function') names.push(importFunction(result, objectIn(tool, 'function'), note))
    else if (type === 'file_search' || type === 'retrieval') {
      const stores = listIn(objectIn(resources, 'file_search'), 'vector_store_ids').map(String)
      if (stores.length === 0) note(`${type} without a vector store: create a knowledge source and a retrieval tool.`)
      else names.push(importStores(result, stores, objectIn(tool, 'file_search'), note))
    } else if (type === 'code_interpreter') {
      const files = listIn(objectIn(resources, 'code_interpreter'), 'file_ids').length
      note(
        `code_interpreter${files > 0 ? ` with ${files} files` : ''}: agents run no code here. Offer what it computes as an API tool or over MCP.`,
      )
    } else note(`the tool "${type || 'without a type'}" is not known here.`)
  }
  return [...new Set(names)]
}

/** Functions are run by the program of the caller, so there is no address to call yet. */
function importFunction(result: Imported, given: Fields, note: (text: string) => void): string {
  const name = toolName(textIn(given, 'name'), 'function')
  const parameters = objectIn(given, 'parameters')
  const added = add(
    result,
    'api_tools',
    withoutEmpty({
      name,
      description: textIn(given, 'description').slice(0, 10_000) || name,
      method: 'POST',
      url: `${placeholderHost}/${name}`,
      parameters: Object.keys(parameters).length > 0 ? { type: 'object', ...parameters } : null,
    }),
    '_',
  )
  note(
    `the function ${name} was run by your program: set the url of the API tool "${added}" to an endpoint that does it.`,
  )
  return added
}

function importStores(result: Imported, stores: string[], settings: Fields, note: (text: string) => void): string {
  const sources = stores.map((store) => {
    const source = add(result, 'knowledge_sources', {
      name: resourceName(`Vector store ${store}`, 'Vector store'),
      type: 'file',
    })
    note(`the files of ${store}: download them and run parley sync "${source}" FOLDER.`)
    return source
  })
  const ranking = objectIn(settings, 'ranking_options')
  const results = within(numberIn(settings, 'max_num_results'), 1, 50)
  return add(
    result,
    'retrieval_tools',
    withoutEmpty({
      name: resourceName(`File search ${stores.join(', ')}`, 'File search'),
      knowledge_sources: [...new Set(sources)],
      top_k: results === null ? null : Math.round(results),
      score_threshold: within(numberIn(ranking, 'score_threshold'), 0, 1) || null,
    }),
  )
}
