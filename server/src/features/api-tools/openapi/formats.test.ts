import { describe, expect, it } from 'vitest'
import { type Json, startService } from '../../../../test/harness.ts'
import { example, imported, minimal } from '../../../../test/openapi-documents.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'

describe('a document in several files', () => {
  const root = minimal(
    {
      '/pets': { $ref: 'paths/pets.yaml' },
      '/owners': { get: { $ref: './paths/owners.yaml#/list' } },
    },
    { components: { schemas: { Id: { type: 'integer', minimum: 1 } } } },
  )
  const documents = {
    'openapi.json': root,
    'paths/pets.yaml': `
post:
  operationId: addPet
  parameters:
    - $ref: ../common/parameters.json#/trace
  requestBody:
    required: true
    content: { application/json: { schema: { $ref: ../schemas/Pet.yaml } } }
`,
    'paths/owners.yaml': 'list: { operationId: listOwners, parameters: [{ $ref: "../common/parameters.json#/page" }] }',
    'common/parameters.json': {
      trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      page: { name: 'page', in: 'query', schema: { $ref: '../openapi.json#/components/schemas/Id' } },
    },
    'schemas/Pet.yaml': `
type: object
properties:
  name: { type: string }
  owner: { $ref: '../openapi.json#/components/schemas/Id' }
  parent: { $ref: '#' }
required: [name]
`,
  }
  const listArguments = (tools: Json[]) =>
    Object.fromEntries(tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties)]))

  it('is resolved within the upload', async () => {
    const service = await startService()
    const { created, skipped } = await imported(service, { documents })
    expect(skipped).toEqual([])
    expect(listArguments(created)).toEqual({ addPet: ['X-Trace', 'name', 'owner', 'parent'], listOwners: ['page'] })
    const pet = created.find(({ name }: Json) => name === 'addPet')
    expect(pet.parameters.properties.owner).toEqual({ type: 'integer', minimum: 1 })
    const wrong = { name: 'Rex', parent: { name: 'Max', owner: 0 } }
    const { body } = await service.post(`/api-tools/${pet.id}/test`, { arguments: wrong })
    expect(body.details[0].path).toBe('arguments.parent.owner')
  })

  it('may come with its first document apart', async () => {
    const { 'openapi.json': _, ...others } = documents
    const service = await startService()
    const page = { ...documents['common/parameters.json'], page: { name: 'page', in: 'query' } }
    const uploaded = { ...others, 'common/parameters.json': JSON.stringify(page) }
    const { created, skipped } = await imported(service, { spec: root, documents: uploaded })
    expect(listArguments(created)).toEqual({ listOwners: ['page'] })
    expect(skipped).toEqual([{ operation: 'POST /pets', reason: expect.stringContaining('openapi.json') }])
  })

  it('loses the operations whose documents are missing, and says which', async () => {
    const { post } = await startService()
    const { created, skipped } = await imported({ post }, { spec: root })
    expect(created).toEqual([])
    expect(skipped).toEqual([
      { operation: '/pets', reason: expect.stringMatching(/paths\/pets\.yaml.*documents/) },
      { operation: 'GET /owners', reason: expect.stringMatching(/paths\/owners\.yaml.*documents/) },
    ])
    const refused = async (body: object) => (await post('/api-tools/import', body)).body.details[0]
    expect(await refused({ spec: { ...root, paths: { $ref: 'paths.yaml' } } })).toMatchObject({
      path: 'spec',
      message: expect.stringContaining('paths.yaml'),
    })
    expect(await refused({ documents: { 'a.json': root, 'b.json': root } })).toMatchObject({
      path: 'documents',
      message: expect.stringContaining('a.json, b.json'),
    })
    expect(await refused({ spec: root, documents: { 'x.yaml': 'a: [b' } })).toMatchObject({
      message: expect.stringContaining('"x.yaml"'),
    })
  })
})

describe('a Swagger 2.0 document', () => {
  it('becomes the same tools as its OpenAPI 3 form', async () => {
    const service = await startService()
    const { created, skipped } = await imported(service, { spec: example('2.0/json/petstore.json') })
    expect(skipped.map(({ operation }: Json) => operation)).toEqual(['POST /pet/{petId}/uploadImage'])
    // Only the newer document says that `id` is read-only.
    const namesIn = (schema: Json) => Object.keys(schema.properties).filter((name) => name !== 'id')
    const shape = ({ name, method, parameters }: Json) => [
      name,
      [method, namesIn(parameters).sort(), [...(parameters.required ?? [])].sort()],
    ]
    const newer = await imported(service, { spec: example('3.0/json/petstore.json') })
    expect(newer.updated.length).toBe(created.length)
    expect(Object.fromEntries(created.map(shape))).toEqual(Object.fromEntries(newer.updated.map(shape)))
    for (const name of ['api-with-examples', 'petstore-expanded', 'petstore-simple', 'schema-circular']) {
      const other = await imported(service, {
        spec: example(`2.0/json/${name}.json`),
        base_url: 'https://api.example.com',
      })
      expect([name, other.skipped, other.operations.length > 0]).toEqual([name, [], true])
    }
  })

  it('is called as documented', async () => {
    const api = await scriptedApi()
    const service = await startService(mayCallLoopback)
    const strings = { type: 'array', items: { type: 'string' } }
    const spec = {
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: api.url.slice('http://'.length),
      basePath: '/v2',
      schemes: ['http'],
      consumes: ['application/json'],
      parameters: { Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 10 } },
      definitions: { Item: { type: 'object', properties: { size: { type: 'integer', 'x-nullable': true } } } },
      securityDefinitions: {
        basic: { type: 'basic' },
        machine: { type: 'oauth2', flow: 'application', tokenUrl: 'https://id.example.com/token', scopes: {} },
      },
      security: [{ basic: [] }],
      paths: {
        '/items/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
          put: {
            operationId: 'put',
            security: [],
            parameters: [
              { $ref: '#/parameters/Limit' },
              { name: 'a', in: 'query', ...strings },
              { name: 'b', in: 'query', ...strings, collectionFormat: 'multi' },
              { name: 'c', in: 'query', ...strings, collectionFormat: 'pipes' },
              { name: 'item', in: 'body', required: true, schema: { $ref: '#/definitions/Item' } },
            ],
          },
        },
        '/form': {
          post: {
            operationId: 'form',
            consumes: ['application/x-www-form-urlencoded'],
            security: [],
            parameters: [
              { name: 'tags', in: 'formData', ...strings, required: true },
              { name: 'more', in: 'formData', ...strings, collectionFormat: 'multi' },
            ],
          },
        },
        '/basic': { get: {} },
        '/machine': { get: { security: [{ machine: ['read'] }] } },
      },
    }
    const { created } = await imported(service, { spec })
    expect(created.map(({ auth }: Json) => auth.type)).toEqual(['none', 'none', 'basic', 'oauth2_client_credentials'])
    const call = async (index: number, args: object) => {
      const { body } = await service.post(`/api-tools/${created[index].id}/test`, { arguments: args })
      return body.details ?? decodeURIComponent(`${api.requests.at(-1)?.url} ${api.requests.at(-1)?.body}`)
    }
    const list = ['x', 'y']
    expect(await call(0, { id: 'i', limit: 3, a: list, b: list, c: list, size: null })).toBe(
      '/v2/items/i?limit=3&a=x,y&b=x&b=y&c=x|y {"size":null}',
    )
    expect(await call(0, { id: 'i', limit: 11 })).toMatchObject([{ path: 'arguments.limit' }])
    expect(await call(1, { tags: list, more: list })).toBe('/v2/form tags=x,y&more=x&more=y')
  })
})

describe('parameters with brackets', () => {
  it('are sent as deep objects, in the query and in forms', async () => {
    const api = await scriptedApi()
    const service = await startService(mayCallLoopback)
    const list = { type: 'array', items: { type: 'string' } }
    const deep = (name: string, schema: object) => ({ name, in: 'query', style: 'deepObject', explode: true, schema })
    const properties = {
      expand: list,
      metadata: { type: 'object' },
      items: { type: 'array', items: { type: 'object' } },
    }
    const encoding = Object.fromEntries(Object.keys(properties).map((name) => [name, { style: 'deepObject' }]))
    const spec = minimal(
      {
        '/charges': {
          post: {
            parameters: [deep('filter', { type: 'object' }), deep('tags', list), deep('sort[]', list)],
            requestBody: {
              content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties }, encoding } },
            },
          },
        },
      },
      { servers: [{ url: api.url }] },
    )
    const { created } = await imported(service, { spec })
    await service.post(`/api-tools/${created[0].id}/test`, {
      arguments: {
        filter: { colors: ['red', 'blue'], price: { gte: 5 } },
        tags: ['a', 'b'],
        sort: ['up'],
        expand: ['customer', 'invoice'],
        metadata: { order: 7 },
        items: [{ price: 'p1', quantity: 2 }, { price: 'p2' }],
      },
    })
    expect(decodeURIComponent(api.requests[0]?.url ?? '')).toBe(
      '/charges?filter[colors][]=red&filter[colors][]=blue&filter[price][gte]=5&tags[]=a&tags[]=b&sort[]=up',
    )
    expect(decodeURIComponent(api.requests[0]?.body ?? '')).toBe(
      'expand[]=customer&expand[]=invoice&metadata[order]=7&items[0][price]=p1&items[0][quantity]=2&items[1][price]=p2',
    )
  })
})

describe('an API that requires two credentials at once', () => {
  it('gets both', async () => {
    const api = await scriptedApi()
    const service = await startService(mayCallLoopback)
    const spec = minimal(
      { '/a': { get: { security: [{ app: [], key: [], token: [] }] } } },
      {
        servers: [{ url: api.url }],
        components: {
          securitySchemes: {
            app: { type: 'apiKey', in: 'header', name: 'X-App' },
            key: { type: 'apiKey', in: 'query', name: 'key' },
            token: { type: 'http', scheme: 'bearer' },
          },
        },
      },
    )
    const { created, secrets_needed: needed } = await imported(service, { spec })
    expect(needed.map(({ secret }: Json) => secret)).toEqual([
      'auth.value',
      'auth.additional.0.value',
      'auth.additional.1.token',
    ])
    const path = `/api-tools/${created[0].id}`
    expect((await service.post(`${path}/test`, {})).body.data.error).toContain('auth.value is not set')
    const [app, key, token] = ['sesame-app', 'sesame-key', 'sesame-token']
    const auth = {
      ...created[0].auth,
      value: app,
      additional: [
        { ...created[0].auth.additional[0], value: key },
        { type: 'bearer', token },
      ],
    }
    const stored = (await service.put(path, { auth })).body.data.auth
    expect(stored).toEqual({
      type: 'api_key',
      in: 'header',
      name: 'X-App',
      value_set: true,
      additional: [
        { type: 'api_key', in: 'query', name: 'key', value_set: true },
        { type: 'bearer', token_set: true },
      ],
    })
    expect((await service.put(path, { auth: stored, description: 'Other.' })).body.data.auth).toEqual(stored)
    const { data } = (await service.post(`${path}/test`, {})).body
    expect(JSON.stringify(data)).not.toContain('sesame')
    const { url, headers } = api.requests[0] as Json
    expect([url, headers['x-app'], headers.authorization]).toEqual([`/a?key=${key}`, app, `Bearer ${token}`])
    const refused = async (change: object) => (await service.put(path, change)).body.details[0].path
    expect(await refused({ url: 'https://elsewhere.example/', auth: { ...stored, value: app } })).toBe(
      'auth.additional.0.value',
    )
    expect(await refused({ auth: { type: 'bearer', additional: [{ type: 'basic', username: 'a' }] } })).toBe(
      'auth.additional.0',
    )
  })
})

describe('settings of an import', () => {
  const methods = ['get', 'head', 'post', 'put', 'patch', 'delete']
  const spec = minimal({ '/a': Object.fromEntries(methods.map((method) => [method, { operationId: method }])) })
  const approvals = (tools: Json[]) => tools.filter((tool) => tool.requires_approval).map(({ name }) => name)
  const writing = ['post', 'put', 'patch', 'delete']

  it('require approval of operations that write, unless told otherwise', async () => {
    const { post, put } = await startService()
    const preview = await imported({ post }, { spec, dry_run: true })
    expect(approvals(preview.operations).sort()).toEqual([...writing].sort())
    const { created } = await imported({ post }, { spec })
    expect(approvals(created).sort()).toEqual([...writing].sort())
    const posting = created.find(({ name }: Json) => name === 'post')
    await put(`/api-tools/${posting.id}`, { requires_approval: false })
    expect(approvals((await imported({ post }, { spec })).updated).sort()).toEqual(['delete', 'patch', 'put'])
    expect(approvals((await imported({ post }, { spec, requires_approval: false })).updated)).toEqual([])
    const elsewhere = { ...spec, info: { title: 'Other' } }
    expect(approvals((await imported({ post }, { spec: elsewhere, requires_approval: true })).created).length).toBe(6)
  })

  it('include an authentication instead of the one in the document', async () => {
    const { post } = await startService()
    const secured = {
      ...spec,
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 's' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
      security: [{ cookie: [] }],
    }
    expect((await imported({ post }, { spec: secured })).created).toEqual([])
    const auth = { type: 'api_key', name: 'X-Key', value: 'sesame-open' }
    const { created, secrets_needed: needed } = await imported({ post }, { spec: secured, auth })
    expect([created.length, needed]).toEqual([6, []])
    expect(created[0].auth).toEqual({ type: 'api_key', in: 'header', name: 'X-Key', value_set: true })
    const again = await imported({ post }, { spec: { ...secured, security: [{ token: [] }] } })
    expect(again.updated[0].auth).toMatchObject({ type: 'api_key', value_set: true })
    const kept = await imported({ post }, { spec: secured, auth: { type: 'api_key', name: 'X-Other' } })
    expect(kept.updated[0].auth).toEqual({ type: 'api_key', in: 'header', name: 'X-Other', value_set: true })
    const none = await imported({ post }, { spec: secured, auth: { type: 'none' } })
    expect(none.updated[0].auth).toEqual({ type: 'none' })
  })
})
