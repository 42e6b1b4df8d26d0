import { beforeAll, expect, it } from 'vitest'
import { startService } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { mcpServer } from '../../server/test/mcp-server.ts'
import { mayCallLoopback, scriptedApi } from '../../server/test/scripted-api.ts'
import { openConsole, withConsole } from './open.ts'

beforeAll(async () => void (await withConsole()), 60_000)

it('an API is described, called from a form made of its parameters, and its secret is never shown again', async () => {
  const api = await scriptedApi((request) => ({ body: { path: request.url, told: request.headers.authorization } }))
  const { url, token, get } = await startService(mayCallLoopback)
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('button', { name: 'New tool' }).first().click()
  await page.getByRole('menuitem', { name: 'API tool' }).click()
  await page.getByLabel('Name').fill('get_weather')
  await page.getByLabel('Description').fill('Tells the weather in a city.')
  await page.getByLabel('Address').fill(`${api.url}/weather/{city}`)
  await page.getByLabel('Authentication').selectOption('bearer')
  await page.getByLabel('Token').fill('secret-token-1234')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByRole('heading', { name: 'get_weather', level: 1 }).waitFor()
  expect(await page.getByLabel('Token').getAttribute('placeholder')).toBe('Stays as it is')

  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Which city.' },
      units: { enum: ['metric', 'imperial'] },
      days: { type: 'integer' },
      detailed: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['city'],
  }
  await page.getByRole('textbox', { name: 'Parameters' }).fill('{"type": ')
  await page.getByText('Something above cannot be read.').waitFor()
  await page.getByRole('textbox', { name: 'Parameters' }).fill(JSON.stringify(schema))
  await page.getByLabel('A person must approve each call').check()
  await page.keyboard.press('Control+s')
  await page.getByText('get_weather was saved').waitFor()

  await page.getByLabel('units').selectOption({ label: 'metric' })
  await page.getByLabel('days').fill('3')
  await page.getByLabel('detailed').selectOption({ label: 'true' })
  await page.getByLabel('tags').fill('["rain","wind"]')
  await page.getByRole('button', { name: 'Call' }).click()
  await page.getByText('is required').first().waitFor()
  await page.getByLabel('city (required)').fill('San José')
  await page.getByRole('button', { name: 'Call' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('worked').waitFor()
  const sent = new URL(`http://x${api.requests[0]?.url}`)
  expect([sent.pathname, Object.fromEntries(sent.searchParams)]).toMatchObject([
    '/weather/San%20Jos%C3%A9',
    { units: 'metric', days: '3', detailed: 'true' },
  ])
  expect(api.requests[0]?.headers.authorization).toBe('Bearer secret-token-1234')
  expect(await page.content()).not.toContain('secret-token-1234')
  const [tool] = (await get('/api-tools')).body.data
  expect(tool).toMatchObject({ requires_approval: true, auth: { type: 'bearer', token_set: true } })
  await page.getByRole('link', { name: 'Tools', exact: true }).first().click()
  await page.getByRole('tab', { name: 'API (1)' }).click()
  await page.getByText('approval').waitFor()
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
})

it('operations of an OpenAPI document are chosen and become tools', async () => {
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://pets.example.com' }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'getPet', summary: 'Finds a pet.', responses: { 200: { description: 'It' } } },
        delete: { operationId: 'deletePet', summary: 'Deletes a pet.', responses: { 200: { description: 'Gone' } } },
      },
    },
  }
  const { url, token, get } = await startService()
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/tools?new=import`)
  await page.getByLabel('Or its text').fill(JSON.stringify(spec))
  await page.getByRole('button', { name: 'Show operations' }).click()
  await page.getByLabel(/^deletePet · DELETE/).uncheck()
  await page.getByRole('button', { name: 'Import 1' }).click()
  await page.getByText('1 tools made, 0 updated').waitFor()
  await page.getByText('Still to be set before these can be called').waitFor()
  expect((await get('/api-tools')).body.data.map(({ name }: { name: string }) => name)).toEqual(['getPet'])
  await page.getByRole('list', { name: 'Imported tools' }).getByRole('link', { name: 'getPet' }).click()
  await page.getByText('Imported from Pets: GET /pets/{id}').waitFor()
  expect(problems).toEqual([])
})

it('an MCP server shows its tools, and each can be tried', async () => {
  const server = await mcpServer([
    {
      name: 'add',
      description: 'Adds two numbers.',
      schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
      run: ({ a, b }) => ({ content: [{ type: 'text', text: `sum ${a + b}` }] }),
    },
  ])
  const { url, token, post } = await startService(mayCallLoopback)
  const made = await post('/api-tools', { name: 'maths', description: 'Maths.', type: 'mcp', url: server.url })
  const { page, problems } = await openConsole(url, token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${url}/tools/api/${made.body.data.id}`)
  await page.getByText('Adds two numbers.').waitFor()
  await page.getByLabel('a (required)').fill('20')
  await page.getByLabel('b (required)').fill('22')
  await page.getByRole('button', { name: 'Call' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('sum 42').waitFor()
  expect(problems).toEqual([])
})

it('a retrieval tool over two sources is made, weighed and searched', async () => {
  const service = await startService()
  const { make } = knowledge(service)
  const text = (title: string, content: string) => ({
    type: 'text',
    configuration: { documents: [{ title, content }] },
  })
  await make({ name: 'Drinks', ...text('Tea', 'Green tea is brewed at eighty degrees.') })
  await make({ name: 'Meals', ...text('Bread', 'Bread is baked at two hundred degrees.') })
  const { page, problems } = await openConsole(service.url, service.token)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${service.url}/tools?new=retrieval`)
  await page.getByLabel('Name').fill('Kitchen')
  await page.getByLabel('Drinks').check()
  await page.getByLabel('Meals').check()
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.locator('dd').getByText('ready').waitFor()
  await page.getByLabel('Rerank').selectOption('mmr')
  await page.getByLabel('Weights').selectOption('own')
  await page.getByLabel('Words', { exact: true }).fill('0.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Kitchen was saved').waitFor()
  const [tool] = (await service.get('/retrieval-tools')).body.data
  expect(tool).toMatchObject({ rerank: 'mmr', weights: { vector: 1, keyword: 0.5 } })
  await page.getByLabel('What to look for').fill('How hot is bread baked?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().getByText('Bread').first().waitFor()
  await page.getByRole('link', { name: 'Bread' }).click()
  await page.locator('.document-text mark').getByText('two hundred degrees').waitFor()
  expect(problems).toEqual([])
})
