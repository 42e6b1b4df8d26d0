import type { Fields } from '../config/kinds.ts'
import { CliError } from '../failures.ts'
import { importDatasets, importModel, modelSettings, type Notes } from './dify-parts.ts'
import {
  add,
  emptyImport,
  type Imported,
  isObject,
  labels,
  listIn,
  numberIn,
  objectIn,
  resourceName,
  textIn,
  within,
  withoutEmpty,
} from './imported.ts'

const modes = ['chat', 'agent-chat', 'completion']

/** An app of Dify, as its DSL describes it. */
export function importDify(value: unknown): Imported {
  const app = objectIn(value, 'app')
  const mode = textIn(app, 'mode')
  if (mode === '')
    throw new CliError('This is not an app of Dify: it has no app.mode.', 'Export it in Dify with "Export DSL".')
  if (!modes.includes(mode))
    throw new CliError(
      `Apps of Dify with the mode "${mode}" cannot be imported.`,
      `Only those with the modes ${modes.join(', ')} can.`,
    )
  const result = emptyImport()
  const note: Notes = (text) => void result.notes.push(text)
  const name = resourceName(textIn(app, 'name'), 'Imported app')
  const description = textIn(app, 'description').slice(0, 10_000)
  importConfigured(result, objectIn(value, 'model_config'), { name, description, mode }, note)
  return result
}

interface App {
  name: string
  description: string
  mode: string
}

/** One prompt, one model, tools and knowledge. */
function importConfigured(result: Imported, config: Fields, { name, description, mode }: App, note: Notes): void {
  const agentMode = objectIn(config, 'agent_mode')
  const model = objectIn(config, 'model')
  const tools = [...importAgentTools(result, agentMode, note), ...importDatasetConfigs(result, config, note)]
  if (mode === 'completion') note('it generates one text: send its input as the message of a conversation.')
  if (mode === 'agent-chat' && textIn(agentMode, 'strategy') === 'react')
    note('the strategy "react": agents call tools with the function calls of their model.')
  add(
    result,
    'agents',
    withoutEmpty({
      name,
      description,
      ...importPrompt(result, name, readPrompt(config, note), config, note),
      model: importModel(result, model, note),
      ...modelSettings(objectIn(model, 'completion_params'), note),
      max_steps: mode === 'agent-chat' ? within(numberIn(agentMode, 'max_iteration'), 1, 50) : null,
      tools: [...new Set(tools)],
      metadata: greeting(config),
    }),
  )
  noteFeatures(config, note)
}

function readPrompt(config: Fields, note: Notes): string {
  if (textIn(config, 'prompt_type') !== 'advanced') return textIn(config, 'pre_prompt')
  const messages = listIn(objectIn(config, 'chat_prompt_config'), 'prompt')
  const completion = textIn(objectIn(objectIn(config, 'completion_prompt_config'), 'prompt'), 'text')
  if (messages.length === 0) return completion || textIn(config, 'pre_prompt')
  const others = messages.filter((each) => textIn(each, 'role') !== 'system').length
  if (others > 0) note(`${others} messages of the prompt that are not from the system.`)
  return messages
    .filter((each) => textIn(each, 'role') === 'system')
    .map((each) => textIn(each, 'text'))
    .join('\n\n')
}

const marker = /\{\{#(\w+)#\}\}/g
const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g

/** A prompt with variables becomes a template; the values of the form become its defaults. */
function importPrompt(result: Imported, name: string, prompt: string, config: Fields, note: Notes): Fields {
  const markers = [...new Set([...prompt.matchAll(marker)].map(([, word]) => word))]
  if (markers.length > 0)
    note(
      `the places of ${markers.join(', ')} in the prompt: agents get the conversation and what tools find by themselves.`,
    )
  const text = prompt.replace(marker, '').slice(0, 200_000)
  const names = [...new Set([...text.matchAll(placeholder)].map(([, word]) => word as string))]
  if (names.length === 0) return { system_prompt: text }
  const inputs = listIn(config, 'user_input_form').flatMap((each) => (isObject(each) ? Object.values(each) : []))
  const defaultValue = (variable: string): string => {
    const input = inputs.find((each) => textIn(each, 'variable') === variable)
    return textIn(input, 'default').slice(0, 100_000)
  }
  const unset = names.filter((each) => defaultValue(each) === '')
  if (unset.length > 0)
    note(`values of ${unset.join(', ')}: they are empty unless a conversation has them in "variables".`)
  return {
    prompt_template: add(result, 'prompt_templates', { name, template: text.replace(placeholder, '{{$1}}') }),
    prompt_variables: Object.fromEntries(names.map((each) => [each, defaultValue(each)])),
  }
}

function importAgentTools(result: Imported, agentMode: Fields, note: Notes): string[] {
  return listIn(agentMode, 'tools').flatMap((tool): string[] => {
    if (!isObject(tool)) return []
    // Older versions: {dataset: {id, enabled}} and {tool: {enabled}}.
    const [[first, inner] = ['', null]] = Object.entries(tool)
    if (first === 'dataset' && isObject(inner))
      return inner.enabled === false ? [] : [importDatasets(result, [textIn(inner, 'id')], {}, note)].filter(Boolean)
    const name = textIn(tool, 'tool_label') || textIn(tool, 'tool_name') || first
    if (tool.enabled === false || (isObject(inner) && inner.enabled === false)) return []
    const provider = textIn(tool, 'provider_name') || textIn(tool, 'provider_id')
    const advice: Record<string, string> = {
      api: 'import its OpenAPI document: POST /api/api-tools/import',
      mcp: 'add the MCP server as an API tool of type mcp',
    }
    note(
      `the tool "${name}"${provider && ` of ${provider}`}: ${advice[textIn(tool, 'provider_type')] ?? 'add an API tool or an MCP server that does the same'}.`,
    )
    return []
  })
}

function importDatasetConfigs(result: Imported, config: Fields, note: Notes): string[] {
  const settings = objectIn(config, 'dataset_configs')
  const ids = listIn(objectIn(settings, 'datasets'), 'datasets')
    .map((each) => objectIn(each, 'dataset'))
    .filter((dataset) => dataset.enabled !== false)
    .map((dataset) => textIn(dataset, 'id'))
  return [importDatasets(result, ids, settings, note)].filter(Boolean)
}

/** The opening statement and suggested questions. Agents have no field for them, so they become labels. */
function greeting(features: Fields): Fields {
  const questions = listIn(features, 'suggested_questions').filter((each) => typeof each === 'string')
  return labels(
    withoutEmpty({
      opening_statement: textIn(features, 'opening_statement'),
      suggested_questions: questions.join('\n'),
    }),
  )
}

const features: Record<string, string> = {
  speech_to_text: 'speech to text',
  text_to_speech: 'text to speech',
  sensitive_word_avoidance: 'moderation (sensitive_word_avoidance)',
  annotation_reply: 'annotated replies',
  suggested_questions_after_answer: 'suggested questions after an answer',
  more_like_this: 'more like this',
}

function noteFeatures(config: Fields, note: Notes): void {
  for (const [name, text] of Object.entries(features)) if (objectIn(config, name).enabled === true) note(`${text}.`)
  const external = listIn(config, 'external_data_tools').length
  if (external > 0) note(`${external} external data tools: add API tools instead.`)
  if (textIn(config, 'opening_statement') !== '' || listIn(config, 'suggested_questions').length > 0)
    note('the opening statement and suggested questions are in the metadata of the agent: show them in your front end.')
}
