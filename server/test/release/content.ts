import { setTimeout as sleep } from 'node:timers/promises'
import { createParley } from '../../src/app.ts'
import { thisRelease } from '../../src/kernel/store/release.ts'
import { day } from '../../src/kernel/time.ts'
import { testConfig } from '../config.ts'
import { scriptedProvider } from '../scripted-provider.ts'
import { type ReleaseData, releaseKey, releaseSettings } from './kept.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are stored, not understood
type Json = any

/** Starts this release, fills it through the API, and stops it. */
export async function makeContent(environment: Record<string, string>): Promise<ReleaseData> {
  const provider = await scriptedProvider({ deltas: ['The pump needs ', 'oil once a year.'] })
  const parley = await createParley(testConfig({ ...environment, ...releaseSettings, LOG_LEVEL: 'silent' }))
  try {
    const ask = requestsTo(await parley.app.listen({ port: 0, host: '127.0.0.1' }))
    const { search, paths } = await fill(ask, provider.url)
    const responses: ReleaseData['responses'] = {}
    for (const path of paths) responses[path] = (await ask('GET', path)).data
    return { version: thisRelease.version, madeAt: parley.ctx.now(), search, responses }
  } finally {
    await parley.close()
    await provider.close()
  }
}

type Request = (method: string, path: string, body?: object) => Promise<Json>

const requestsTo =
  (url: string): Request =>
  async (method, path, body) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${releaseSettings.ADMIN_TOKEN}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text)
  }

/** Fills the service with something of every kind. Returns the paths at which it is shown, and a search. */
async function fill(ask: Request, endpoint: string): Promise<Pick<ReleaseData, 'search'> & { paths: string[] }> {
  const startedAt = Date.now()
  const create = async (path: string, body: object): Promise<string> => (await ask('POST', path, body)).data.id
  const until = async (path: string, isReached: (data: Json) => boolean) => {
    while (!isReached((await ask('GET', path)).data)) await sleep(100)
  }
  const model = await create('/models', {
    name: 'Scripted',
    provider: 'openai-compatible',
    model_id: 'scripted-1',
    endpoint,
    api_key: releaseKey,
    pricing: { input: 0.001, output: 0.002, cached_input: 0.0005 },
  })

  const source = await create('/knowledge-sources', { name: 'Handbook', type: 'file' })
  const form = new FormData()
  form.append('file', new Blob(['# Pumps\n\nThe pump needs oil once a year.\n']), 'pumps.md')
  await ask('POST', `/knowledge-sources/${source}/documents`, form)
  const [{ id: document }] = (await ask('GET', `/knowledge-sources/${source}/documents`)).data
  const tool = await create('/rag-tools', { name: 'handbook', knowledge_source_id: source })
  await until(`/knowledge-sources/${source}`, ({ status }) => status === 'active')
  await until(`/rag-tools/${tool}`, ({ status, index }) => status === 'ready' && index.refined === index.chunks)

  const template = await create('/prompt-templates', { name: 'Kind', template: 'Be kind to {{name}}.' })
  const agent = await create('/agents', {
    name: 'Ada',
    model_id: model,
    prompt_template_id: template,
    prompt_variables: { name: 'everybody' },
    tools: [tool],
  })
  await ask('PUT', `/agents/${agent}`, { description: 'Knows the handbook' })
  const conversation = await create('/conversations', { agent_id: agent, user_id: 'grace', title: 'Pumps' })
  const messages = `/conversations/${conversation}/messages`
  const reply = (await ask('POST', messages, { message: 'What does the pump need?' })).data
  await ask('POST', `${messages}/${reply.id}/feedback`, { rating: 'up' })
  await ask('POST', `${messages}/${reply.id}/regenerate`)

  const test_cases = [{ input: 'What does the pump need?', expected_output: 'oil' }]
  const evaluation = await create('/evaluations', { name: 'Pumps', type: 'agent', target_id: agent, test_cases })
  const run = (await ask('POST', `/evaluations/${evaluation}/run`)).data.id
  await until(`/evaluations/${evaluation}/runs/${run}`, ({ status }) => !['queued', 'running'].includes(status))

  const auth = { type: 'bearer', token: 'a-secret-of-a-test' }
  const address = 'http://127.0.0.1:8080/'
  const apiTool = await create('/api-tools', { name: 'lookup', description: 'Looks up', url: address, auth })
  const webhook = await create('/webhooks', { url: address, events: ['evaluation.finished'] })
  const threshold = { name: 'Budget', metric: 'cost', limit: 50, window: 'total', action: 'block' }
  await create('/usage/thresholds', threshold)

  const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10)
  const days = `start_date=${dayAt(startedAt)}&end_date=${dayAt(startedAt + day)}`
  return {
    search: { path: `/rag-tools/${tool}/query`, query: 'oil for pumps', document },
    paths: [
      `/models/${model}`,
      `/knowledge-sources/${source}`,
      `/knowledge-sources/${source}/documents`,
      `/knowledge-sources/${source}/documents/${document}/content`,
      `/knowledge-sources/${source}/syncs`,
      `/rag-tools/${tool}`,
      `/prompt-templates/${template}`,
      `/agents/${agent}`,
      `/agents/${agent}/versions`,
      `/conversations/${conversation}`,
      messages,
      `${messages}/${reply.id}/trace`,
      `/usage/stats?${days}`,
      `/usage/costs?${days}`,
      '/usage/thresholds',
      `/analytics/conversations?${days}`,
      `/evaluations/${evaluation}`,
      `/evaluations/${evaluation}/results`,
      `/api-tools/${apiTool}`,
      `/webhooks/${webhook}`,
      '/audit/verify',
    ],
  }
}
