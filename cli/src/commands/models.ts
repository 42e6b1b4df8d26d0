import { modelCollection } from '../collections.ts'
import { UsageError } from '../failures.ts'
import { fromEnvironment } from '../input.ts'
import { readSecret } from '../prompt.ts'
import { resourceCommands } from '../resource.ts'

export const models = resourceCommands({
  group: 'models',
  noun: 'model',
  collections: [modelCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'PROVIDER', value: ({ provider }) => provider },
    { title: 'MODEL', value: ({ model_id }) => model_id },
    { title: 'TYPE', value: ({ type }) => type },
    { title: 'KEY', value: ({ api_key_set, api_key_hint }) => (api_key_set ? `…${api_key_hint ?? ''}` : null) },
    { title: 'DEFAULT', value: ({ is_default }) => (is_default ? 'yes' : null) },
  ],
  create: {
    details: `The API key is never an argument, where "ps" and the history of the shell would show it: it is read from an
environment variable or from stdin.`,
    options: {
      name: { type: 'string', description: 'The name; default: that of the provider' },
      provider: {
        type: 'string',
        value: 'provider',
        description: 'openai, anthropic, google, ollama, openai-compatible, …',
      },
      'model-id': { type: 'string', value: 'id', description: 'What the provider calls it' },
      type: { type: 'string', value: 'type', description: 'chat, embedding or rerank; default: chat' },
      endpoint: { type: 'string', value: 'url', description: 'Another address of the provider' },
      'api-key-env': { type: 'string', value: 'variable', description: 'The environment variable with the API key' },
      'api-key-stdin': { type: 'boolean', description: 'Read the API key from stdin' },
      default: { type: 'boolean', description: 'Make it the default of the workspace' },
    },
    examples: [
      'parley models create --provider mistral --model-id mistral-small-latest --api-key-env MISTRAL_API_KEY',
      'pass mistral | parley models create --provider mistral --model-id mistral-small-latest --api-key-stdin --default',
      'parley models create --provider ollama --model-id llama3.2 --endpoint http://127.0.0.1:11434/v1',
    ],
    async fields(session, values) {
      const { provider, type, endpoint, 'model-id': modelId } = values
      const { 'api-key-env': variable, 'api-key-stdin': isPiped } = values
      if (variable !== undefined && isPiped) throw new UsageError('Pass --api-key-env or --api-key-stdin, not both.')
      const piped = isPiped ? await readSecret(session.io, 'API key: ') : undefined
      return {
        name: values.name ?? modelId,
        provider,
        model_id: modelId,
        type,
        endpoint,
        api_key: variable === undefined ? piped : fromEnvironment(session, '--api-key-env', variable),
        is_default: values.default,
      }
    },
  },
})
