import fc from 'fast-check'
import pMap from 'p-map'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { type Json, onPostgres, type Service, startService } from './harness.ts'

/** Routes treat a value alike on both databases, but Postgres refuses some texts that SQLite stores. */
const runsPerRoute = onPostgres ? 2 : 5
/** Some routes wait for a provider that cannot be reached. */
const routesAtOnce = 4

const anything = fc.anything({ maxDepth: 3, withNullPrototype: false, withBigInt: false, withDate: false })
const awkwardText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 50 }),
  fc.constantFrom(
    '',
    '\0',
    '../../etc/passwd',
    "'; drop table agent; --",
    '__proto__',
    'constructor',
    'toString',
    '%',
    '_',
    '𝄞',
    '\ud800',
    'a'.repeat(300),
    '{{x}}',
    '-1',
    'NaN',
    '1e999',
    'null',
  ),
)

/** A value that is close to what the schema accepts. */
function valueFor(schema: Json): fc.Arbitrary<unknown> {
  const right = rightValueFor(schema)
  return fc.oneof(
    { weight: 5, arbitrary: right },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: awkwardText },
  )
}

function rightValueFor(schema: Json): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const type = [schema.type].flat().find((each) => each !== 'null')
  switch (type) {
    case 'string':
      return awkwardText
    case 'integer':
      return fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1, 50, 2 ** 31, 2 ** 53, 1e21))
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return schema.properties
        ? bodyFor(schema)
        : fc.dictionary(awkwardText, valueFor(schema.additionalProperties ?? {}), { maxKeys: 4 })
    default:
      return anything
  }
}

const bodyFor = (schema: Json): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [name, valueFor(property)]),
    ),
    { requiredKeys: [] },
  )

/** The ids of a resource at each of these paths. */
async function makeOneOfEach(post: Service['post']): Promise<Record<string, string>> {
  const real = {
    agents: (await post('/agents', { name: 'A' })).body.data.id,
    'prompt-templates': (await post('/prompt-templates', { name: 'T', template: '{{a}}' })).body.data.id,
    models: (await post('/models', { name: 'M', provider: 'ollama', model_id: 'm', endpoint: 'http://127.0.0.1:9' }))
      .body.data.id,
    tokens: (await post('/tokens', { name: 'T', role: 'viewer' })).body.data.id,
    'api-tools': (await post('/api-tools', { name: 'tool', description: 'D', url: 'https://127.0.0.1.invalid/{a}' }))
      .body.data.id,
    'knowledge-sources': (await post('/knowledge-sources', { name: 'S', type: 'file' })).body.data.id,
    conversations: '',
    evaluations: '',
  } as Record<string, string>
  const ofSource = { name: 'K', knowledge_source_id: real['knowledge-sources'] }
  real['rag-tools'] = (await post('/rag-tools', ofSource)).body.data.id
  const ofSources = { name: 'K', knowledge_source_ids: [real['knowledge-sources']] }
  real['retrieval-tools'] = (await post('/retrieval-tools', ofSources)).body.data.id
  const threshold = { name: 'T', metric: 'tokens', limit: 1_000_000, window: 'day', action: 'block' }
  real.usage = (await post('/usage/thresholds', threshold)).body.data.id
  real.conversations = (await post('/conversations', { agent_id: real.agents })).body.data.id
  const evaluation = { name: 'E', type: 'model', target_id: real.models, test_cases: [{ input: 'a' }] }
  real.evaluations = (await post('/evaluations', evaluation)).body.data.id
  return real
}

it('no input makes a route respond with 500 or crashes the process', async () => {
  const { ask, get, post, routes } = await startService()
  const real = await makeOneOfEach(post)

  const check = async (route: (typeof routes)[number]): Promise<void> => {
    const body = route.schema.body as Json
    const query = route.schema.querystring as Json
    const id = real[route.url.split('/')[2] as string]
    const request = fc.record({
      id: fc.oneof({ weight: 3, arbitrary: fc.constant(id ?? 'none') }, { weight: 1, arbitrary: awkwardText }),
      version: fc.oneof(fc.constantFrom('1', '0', '99999999999999999999', 'x'), awkwardText),
      query: query
        ? fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(query.properties)), awkwardText), awkwardText, {
            maxKeys: 4,
          })
        : fc.constant({}),
      body: body
        ? fc.oneof({ weight: 6, arbitrary: bodyFor(body) }, { weight: 1, arbitrary: anything })
        : fc.constant(undefined),
      headers: fc.record({ 'if-match': fc.constantFrom('*', '"1"', 'rubbish', '') }, { requiredKeys: [] }),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ id: anId, version, query: parameters, body: content, headers }) => {
        const path = route.url
          .replace(':id', encode(String(anId)))
          .replace(':version', encode(String(version)))
          .replace(/:\w+/g, encode(String(version)))
        const search = Object.entries(parameters)
          .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
          .join('&')
        const raw = content === undefined ? undefined : JSON.stringify(content)
        const { status, body: answer } = await ask(route.method.toUpperCase(), `${path}?${search}`, {
          ...(raw !== undefined && { raw }),
          headers,
        })
        const isProviders = status === 502 // the model of the agent is unreachable
        if (status >= 500 && !isProviders)
          throw new Error(`${route.method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
        const error = path.includes('/openai/') ? { message: expect.any(String) } : expect.any(String)
        if (status >= 400) expect(answer).toMatchObject({ success: false, code: expect.any(String), error })
      }),
      { numRuns: runsPerRoute },
    )
  }
  const checked = routes.filter(({ method }) => method !== 'patch') // the same as PUT
  await pMap(checked, check, { concurrency: routesAtOnce })
  expect((await get('/health')).body.status).toBe('healthy')
}, 300_000)

/** The values of a parameter: each of its words, or one that is right. */
function samplesFor({ enum: words, type, format }: Json): unknown[] {
  if (words) return words
  if (format === 'date-time') return ['2026-01-01T00:00:00Z']
  if (type === 'integer' || type === 'number') return [1]
  return type === 'boolean' ? [true, false] : ['x']
}

it('every parameter of a list can be given', async () => {
  const { get, post, routes } = await startService()
  const real = await makeOneOfEach(post)
  const make = async (path: string, body: object) => {
    real[path] = (await post(`/${path}`, body)).body.data.id
  }
  const agent = { agent_id: real.agents }
  await make('schedules', { name: 'S', cron: '0 9 * * *', action: { type: 'message', ...agent, message: 'Hi' } })
  await make('triggers', { name: 'T', template: 'Hi', ...agent })
  await make('monitors', { name: 'M', scorers: [{ type: 'latency', config: { max_ms: 1 } }], ...agent })
  await make('webhooks', { url: 'https://127.0.0.1.invalid', events: ['conversation.completed'] })
  const paths = routes.flatMap(({ method, url, schema }) => {
    const path = url.replace(':id', real[url.split('/')[2] as string] ?? ':id')
    if (method !== 'get' || !schema.querystring || path.includes(':')) return []
    return Object.entries<Json>((schema.querystring as Json).properties).flatMap(([name, property]) =>
      samplesFor(property).map((value) => `${path}?${name}=${encode(String(value))}`),
    )
  })
  const failed: string[] = []
  await pMap(
    paths,
    async (path) => {
      const { status } = await get(path)
      if (status >= 500) failed.push(path)
    },
    { concurrency: routesAtOnce },
  )
  expect(failed).toEqual([])
  expect(paths.filter((path) => path.includes('/runs?') || path.includes('/deliveries?'))).not.toEqual([])
})

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
