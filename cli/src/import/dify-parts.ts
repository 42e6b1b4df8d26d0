import type { Fields } from '../config/kinds.ts'
import {
  add,
  type Imported,
  listIn,
  numberIn,
  objectIn,
  placeholderHost,
  resourceName,
  textIn,
  within,
  withoutEmpty,
} from './imported.ts'

export type Notes = (text: string) => void

/** Names of providers in Dify that are others here. */
const providers: Record<string, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  gemini: 'google',
  mistralai: 'mistral',
  mistral: 'mistral',
  cohere: 'cohere',
  groq: 'groq',
  ollama: 'ollama',
  deepseek: 'deepseek',
  openrouter: 'openrouter',
  togetherai: 'together',
  fireworks: 'fireworks',
  x: 'xai',
  xai: 'xai',
}

/** The name of the model that an app uses, as the file names it. */
export function importModel(result: Imported, model: Fields, note: Notes): string {
  const modelId = textIn(model, 'name')
  if (modelId === '') return ''
  // Since 1.0 providers are plugins: langgenius/openai/openai.
  const name = textIn(model, 'provider').split('/').at(-1) ?? ''
  const provider = providers[name]
  const variable = `${(provider ?? name).replace(/[^A-Za-z0-9]+/g, '_').toUpperCase() || 'MODEL'}_API_KEY`
  if (provider === undefined)
    note(`the provider "${name}" of the model ${modelId}: set the endpoint to one with the API of OpenAI.`)
  return add(
    result,
    'models',
    withoutEmpty({
      name: resourceName(modelId, 'Model'),
      provider: provider ?? 'openai-compatible',
      model_id: modelId.slice(0, 200),
      type: 'chat',
      api_key: provider === 'ollama' ? null : `\${env:${/^[0-9]/.test(variable) ? `MODEL_${variable}` : variable}}`,
      endpoint: provider === undefined ? `${placeholderHost}/v1` : null,
    }),
  )
}

const carried = ['temperature', 'top_p', 'max_tokens', 'stop', 'seed']

/** The settings of an agent. */
export function modelSettings(parameters: Fields, note: Notes): Fields {
  const stop = listIn(parameters, 'stop').filter((each): each is string => typeof each === 'string' && each !== '')
  const seed = numberIn(parameters, 'seed')
  const maxTokens = within(numberIn(parameters, 'max_tokens'), 1, 100_000_000)
  if (stop.length > 4) note(`${stop.length - 4} of ${stop.length} stop sequences: there are at most four.`)
  const others = Object.entries(parameters).filter(
    ([name, value]) => !carried.includes(name) && value !== null && value !== 0 && value !== '' && value !== false,
  )
  if (others.length > 0)
    note(
      `settings of the model: ${others.map(([name]) => name).join(', ')}. Some providers take them in "options" of the model.`,
    )
  return withoutEmpty({
    temperature: within(numberIn(parameters, 'temperature'), 0, 2),
    top_p: within(numberIn(parameters, 'top_p'), 0, 1),
    max_tokens: maxTokens === null ? null : Math.round(maxTokens),
    stop: stop.slice(0, 4).map((each) => each.slice(0, 500)),
    seed: Number.isSafeInteger(seed) ? seed : null,
  })
}

/** Knowledge sources for datasets and a tool that searches them. Returns the name of the tool, or nothing. */
export function importDatasets(result: Imported, ids: string[], settings: Fields, note: Notes): string {
  const datasets = [...new Set(ids.filter((id) => id !== ''))]
  if (datasets.length === 0) return ''
  const sources = datasets.map((id) => {
    const source = add(result, 'knowledge_sources', { name: resourceName(`Dataset ${id}`, 'Dataset'), type: 'file' })
    note(`the documents of dataset ${id}: run parley sync "${source}" FOLDER.`)
    return source
  })
  const isReranked =
    settings.reranking_enable === true || textIn(objectIn(settings, 'reranking_model'), 'reranking_model_name') !== ''
  if (isReranked) note('the rerank model of the knowledge: set "rerank" of the retrieval tool.')
  const hasThreshold = settings.score_threshold_enabled !== false
  const topK = within(numberIn(settings, 'top_k'), 1, 50)
  return add(
    result,
    'retrieval_tools',
    withoutEmpty({
      name: resourceName(
        `Knowledge ${datasets.length === 1 ? datasets[0] : `of ${datasets.length} datasets`}`,
        'Knowledge',
      ),
      knowledge_sources: [...new Set(sources)],
      top_k: topK === null ? null : Math.round(topK),
      score_threshold: (hasThreshold && within(numberIn(settings, 'score_threshold'), 0, 1)) || null,
    }),
  )
}
