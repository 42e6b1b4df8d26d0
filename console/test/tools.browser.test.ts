import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { mcpServer } from '../../server/test/mcp-server.ts'
import { scriptedApi } from '../../server/test/scripted-api.ts'
import { dismissToasts, workspace } from './console.ts'

it('creates an API tool, calls it from a generated form, and never shows its secret', async () => {
  const api = await scriptedApi((request) => ({ body: { path: request.url, told: request.headers.authorization } }))
  const { open, get } = await workspace()
  const { page, problems } = await open('/tools')
  await page.getByRole('button', { name: 'New tool' }).first().click()
  await page.getByRole('menuitem', { name: 'API tool' }).click()
  await page.getByLabel('Name').fill('get_weather')
  await page.getByLabel('Description').fill('Tells the weather in a city.')
  await page.getByLabel('URL').fill(`${api.url}/weather/{city}`)
  await page.getByLabel('Authentication').selectOption('bearer')
  await page.getByLabel('Token').fill('secret-token-1234')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByRole('heading', { name: 'get_weather', level: 1 }).waitFor()
  await expect.poll(() => page.getByLabel('Token').getAttribute('placeholder')).toBe('Unchanged')

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
  await page.getByText('Fix the invalid fields above to save.').waitFor()
  await page.getByRole('textbox', { name: 'Parameters' }).fill(JSON.stringify(schema))
  await page.getByLabel('Require approval for each call').check()
  await page.getByLabel('Another person must decide').check()
  await page.keyboard.press('Control+s')
  await page.getByText('get_weather saved').waitFor()

  await page.getByLabel('units').selectOption({ label: 'metric' })
  await page.getByLabel('days').fill('3')
  await page.getByLabel('detailed').selectOption({ label: 'true' })
  await page.getByLabel('tags').fill('["rain","wind"]')
  await page.getByRole('button', { name: 'Call' }).click()
  await page.getByText('is required').first().waitFor()
  await page.getByLabel('city (required)').fill('San José')
  await page.getByRole('button', { name: 'Call' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('succeeded').waitFor()
  const sent = new URL(`http://x${api.requests[0]?.url}`)
  expect([sent.pathname, Object.fromEntries(sent.searchParams)]).toMatchObject([
    '/weather/San%20Jos%C3%A9',
    { units: 'metric', days: '3', detailed: 'true' },
  ])
  expect(api.requests[0]?.headers.authorization).toBe('Bearer secret-token-1234')
  expect(await page.content()).not.toContain('secret-token-1234')
  const [tool] = (await get('/api-tools')).body.data
  expect(tool.approvers).toEqual({ groups: [], users: [], exclude_requester: true })
  expect(tool).toMatchObject({ requires_approval: true, auth: { type: 'bearer', token_set: true } })
  await page.getByRole('link', { name: 'Tools', exact: true }).first().click()
  await dismissToasts(page)
  await page.getByRole('tab', { name: 'API (1)' }).click()
  await page.getByRole('tabpanel', { name: 'API (1)' }).getByText('approval', { exact: true }).waitFor()
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
})

it('imports selected operations of an OpenAPI document', async () => {
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
  const { open, get } = await workspace()
  const { page, problems } = await open('/tools?new=import')
  await page.getByLabel('Or paste the document').fill(JSON.stringify(spec))
  await page.getByRole('button', { name: 'Show operations' }).click()
  await page.getByLabel(/^getPet · GET/).waitFor()
  await expect.poll(() => page.getByLabel(/^deletePet · DELETE/).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Import 1' }).click()
  await page.getByText('1 created, 0 updated').waitFor()
  await page.getByText('getPet needs credentials').waitFor()
  await page.getByLabel('Token').fill('secret-token-1234')
  await page.getByRole('button', { name: 'Save credentials' }).click()
  await page.getByText('Credentials saved.').waitFor()
  const imported = (await get('/api-tools')).body.data
  expect(imported).toMatchObject([{ name: 'getPet', auth: { type: 'bearer', token_set: true } }])
  await page.getByRole('list', { name: 'Imported tools' }).getByRole('link', { name: 'getPet' }).click()
  await page.getByText('Imported from Pets: GET /pets/{id}').waitFor()
  expect(problems).toEqual([])
})

it('lists and calls the tools of an MCP server', async () => {
  const server = await mcpServer([
    {
      name: 'add',
      description: 'Adds two numbers.',
      schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
      run: ({ a, b }) => ({ content: [{ type: 'text', text: `sum ${a + b}` }] }),
    },
  ])
  const { open } = await workspace()
  const { page, problems } = await open('/tools')
  await page.getByRole('button', { name: 'New tool' }).first().click()
  await page.getByRole('menuitem', { name: 'MCP server' }).click()
  await page.getByLabel('Name').fill('maths')
  await page.getByLabel('Description').fill('Maths.')
  await page.getByLabel('URL').fill(server.url)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Adds two numbers.').waitFor()
  await page.getByLabel('a (required)').fill('20')
  await page.getByLabel('b (required)').fill('22')
  await page.getByRole('button', { name: 'Call' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('sum 42').waitFor()
  expect(problems).toEqual([])
})

it('chooses tools of an MCP server and accepts what it changed', async () => {
  const server = await mcpServer([
    { name: 'read', description: 'Reads a note.' },
    { name: 'write', description: 'Writes a note.' },
  ])
  const { open, post, get } = await workspace()
  const made = await post('/api-tools', { name: 'notes', description: 'Notes.', type: 'mcp', url: server.url })
  const path = `/api-tools/${made.body.data.id}`
  const { page, problems } = await open(`/tools/api/${made.body.data.id}`)
  const tools = page.getByRole('list', { name: 'Server tools' })
  const approval = tools.getByLabel('Require approval for write')
  await expect.poll(() => approval.isChecked()).toBe(true)
  await page.getByLabel('Require approval for', { exact: true }).selectOption('none')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => approval.isChecked()).toBe(false)
  await approval.click()
  await expect.poll(() => approval.isChecked()).toBe(true)
  await tools.getByLabel('read', { exact: false }).first().click()
  const chosen = await until(async () => {
    const { data } = (await get(path)).body
    return data.tools.length === 1 && data.tools
  })
  expect(chosen).toEqual([{ name: 'write', requires_approval: true }])
  server.tools.splice(1, 1, { name: 'write', description: 'Writes a note and mails it.' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const changes = page.getByRole('region', { name: 'Changed tools' })
  await changes.getByText('write', { exact: true }).click()
  await changes.getByText('Writes a note and mails it.').waitFor()
  await changes.getByRole('button', { name: 'Accept changes' }).click()
  await changes.waitFor({ state: 'detached' })
  expect((await get(`${path}/tools`)).body.data).toMatchObject({ has_changes: false })
  expect(problems).toEqual([])
})

it('creates a retrieval tool over two sources, sets weights and searches', async () => {
  const service = await workspace()
  const { make } = knowledge(service)
  const text = (title: string, content: string) => ({
    type: 'text',
    configuration: { documents: [{ title, content }] },
  })
  await make({ name: 'Drinks', ...text('Tea', 'Green tea is brewed at eighty degrees.') })
  await make({ name: 'Meals', ...text('Bread', 'Bread is baked at two hundred degrees.') })
  const { page, problems } = await service.open('/tools?new=retrieval')
  await page.getByLabel('Name').fill('Kitchen')
  await page.getByLabel('Drinks').check()
  await page.getByLabel('Meals').check()
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.locator('dd').getByText('ready').waitFor()
  await page.getByLabel('Rerank').selectOption('mmr')
  await page.getByLabel('Weights').selectOption('custom')
  await page.getByLabel('Keyword', { exact: true }).fill('0.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Kitchen saved').waitFor()
  const [tool] = (await service.get('/retrieval-tools')).body.data
  expect(tool).toMatchObject({ rerank: 'mmr', weights: { vector: 1, keyword: 0.5 } })
  await page.getByLabel('Search query').fill('How hot is bread baked?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().getByText('Bread').first().waitFor()
  await page.getByRole('link', { name: 'Bread' }).click()
  await page.locator('.document-text mark').getByText('two hundred degrees').waitFor()
  expect(problems).toEqual([])
})
