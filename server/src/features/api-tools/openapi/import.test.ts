import { describe, expect, it } from 'vitest'
import { type Json, startService } from '../../../../test/harness.ts'
import { mainThreadWork } from '../../../../test/main-thread.ts'
import { example, imported, minimal } from '../../../../test/openapi-documents.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'

const named = (tools: Json[]): Record<string, Json> => Object.fromEntries(tools.map((tool) => [tool.name, tool]))

describe('importing a public document', () => {
  it('creates tools from the pet store, in JSON and YAML, 3.0 and 3.1', async () => {
    const service = await startService()
    const json = await service.post('/api-tools/import', { spec: JSON.parse(example('3.0/json/petstore.json')) })
    expect(json.status).toBe(201)
    const tools = named(json.body.data.created)
    expect(Object.keys(tools)).toEqual(
      expect.arrayContaining(['addPet', 'getPetById', 'findPetsByStatus', 'deleteOrder']),
    )
    expect(tools.getPetById).toMatchObject({
      method: 'GET',
      url: expect.stringMatching(/^https?:\/\/.*\/pet\/\{petId\}$/),
      parameters: { properties: { petId: { type: 'integer' } }, required: ['petId'], additionalProperties: false },
      auth: { type: 'api_key', in: 'header', name: 'api_key', value_set: false },
    })
    expect(tools.addPet).toMatchObject({
      method: 'POST',
      body: null,
      parameters: {
        properties: { name: { type: 'string' }, category: { type: 'object' } },
        required: ['name', 'photoUrls'],
      },
      auth: { type: 'bearer', token_set: false },
    })
    expect('id' in tools.addPet.parameters.properties).toBe(false) // readOnly
    expect(json.body.data.skipped).toEqual([
      { operation: 'POST /pet/{petId}/uploadImage', reason: expect.stringContaining('form-data') },
    ])
    const needs = json.body.data.secrets_needed
    expect(needs.map((each: Json) => each.secret).sort()).toEqual(['auth.token', 'auth.value'])

    for (const document of ['3.0/yaml/petstore.yaml', '3.1/json/petstore.json', '3.1/yaml/petstore.yaml']) {
      const again = await service.post('/api-tools/import', { spec: example(document) })
      expect([document, again.status, again.body.data.created.length]).toEqual([document, 200, 0])
      expect([document, again.body.data.updated.length]).toEqual([document, json.body.data.created.length])
    }
  })

  it('reads all example documents, and every tool is valid', async () => {
    const service = await startService()
    const names = [
      'readme',
      'train-travel',
      'parameters-style',
      'schema-types',
      'security',
      'schema-circular',
      'star-trek',
      'uspto',
      'polymorphism',
      'discriminators',
      'request-examples',
      'complex-nesting',
      'link-example',
      'petstore-expanded',
    ]
    let made = 0
    const checked = new Set<string>()
    for (const name of names) {
      for (const version of ['3.0', '3.1']) {
        const file = `${version}/json/${name}.json`
        let spec: string
        try {
          spec = example(file)
        } catch {
          continue
        }
        const data = await imported(service, { spec, base_url: 'https://api.example.com' })
        for (const { operation, reason } of data.skipped)
          expect([file, operation, reason]).toEqual([
            file,
            operation,
            expect.stringMatching(/not supported|not sent|in the document/),
          ])
        const tools: Json[] = [...data.created, ...data.updated]
        for (const { id, name, parameters } of tools) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
          const known = checked.size
          if (checked.add(JSON.stringify(parameters)).size === known) continue // both versions often say the same
          const { status, body } = await service.put(`/api-tools/${id}`, { parameters })
          expect([file, name, status, body.details]).toEqual([file, name, 200, undefined])
        }
        made += tools.length
      }
    }
    expect(made).toBeGreaterThan(200)
  }, 300_000)
})

describe('an operation', () => {
  it('becomes a tool that calls it as documented', async () => {
    const api = await scriptedApi()
    const service = await startService(mayCallLoopback)
    const spec = minimal(
      {
        '/items/{item id}/parts': {
          parameters: [{ name: 'item id', in: 'path', required: true, schema: { type: 'string' } }],
          post: {
            operationId: 'add part!',
            summary: 'Adds a part.',
            parameters: [
              { $ref: '#/components/parameters/Tags' },
              { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
              { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
              { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
              { name: 'Authorization', in: 'header', schema: { type: 'string' } },
              { name: 'name', in: 'query', schema: { type: 'string' } },
            ],
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { name: { type: 'string' }, size: { type: 'integer' } },
                    required: ['name'],
                  },
                },
              },
            },
          },
        },
      },
      {
        servers: [
          {
            url: '{scheme}://{host}/api/',
            variables: { scheme: { default: 'http' }, host: { default: api.url.slice(7) } },
          },
        ],
        components: {
          parameters: {
            Tags: { name: 'tags[]', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    )
    const { created } = await imported(service, { spec })
    expect(created.length).toBe(1)
    const [tool] = created
    expect([tool.name, tool.description]).toEqual(['add_part', 'Adds a part.'])
    expect(tool.source).toEqual({ document: 'Shop', operation: 'POST /items/{item id}/parts' })
    expect(Object.keys(tool.parameters.properties)).toEqual([
      'item_id',
      'tags',
      'filter',
      'where',
      'X-Trace',
      'name',
      'body',
    ])
    expect(tool.parameters.required).toEqual(['item_id', 'body'])
    const args = {
      item_id: 'a/b',
      tags: ['x', 'y'],
      filter: { k: 'v' },
      where: { w: 1 },
      'X-Trace': 't',
      name: 'n',
      body: { name: 'm', size: 2 },
    }
    const { data } = (await service.post(`/api-tools/${tool.id}/test`, { arguments: args })).body
    expect(data.ok).toBe(true)
    const [request] = api.requests
    expect([request?.method, request?.headers['x-trace'], request?.body]).toEqual([
      'POST',
      't',
      '{"name":"m","size":2}',
    ])
    expect(decodeURIComponent(request?.url ?? '')).toBe(
      '/api/items/a/b/parts?tags[]=x,y&filter[k]=v&where={"w":1}&name=n',
    )
    expect(request?.url.startsWith('/api/items/a%2Fb/parts?')).toBe(true)
  })

  it('is chosen by its id or by method and path, and can be previewed', async () => {
    const { post, get } = await startService()
    const spec = minimal({
      '/a': { get: { operationId: 'listA' }, post: { operationId: 'makeA' } },
      '/b': { get: { description: 'All b.' } },
    })
    const seen = await post('/api-tools/import', { spec, dry_run: true })
    expect([seen.status, seen.body.data.created, (await get('/api-tools')).body.pagination.total]).toEqual([200, [], 0])
    expect(
      seen.body.data.operations.map((each: Json) => [each.operation, each.operation_id, each.name, each.tool_id]),
    ).toEqual([
      ['GET /a', 'listA', 'listA', null],
      ['POST /a', 'makeA', 'makeA', null],
      ['GET /b', null, 'get_b', null],
    ])
    const { created, skipped } = await imported({ post }, { spec, operations: ['makeA', 'get /b', 'GET /none'] })
    expect(created.map((tool: Json) => tool.name)).toEqual(['makeA', 'get_b'])
    expect(skipped).toEqual([{ operation: 'GET /none', reason: 'is not in the document' }])
  })

  it('gets a valid, unique name', async () => {
    const service = await startService()
    await service.post('/api-tools', { name: 'list_things', description: 'D', url: 'https://example.com/' })
    const spec = minimal({
      '/a': { get: { operationId: 'list things' } },
      '/b': { get: { operationId: 'list/things' } },
      '/c': { get: { operationId: 'x'.repeat(100) } },
      '/d': { get: { operationId: 'x'.repeat(101) } },
      '/e': { get: { operationId: 'äöü' } },
    })
    const names = (await imported(service, { spec })).created.map((tool: Json) => tool.name)
    expect(names).toEqual(['list_things_2', 'list_things_3', 'x'.repeat(64), `${'x'.repeat(62)}_2`, 'operation'])
  })
})

describe('importing again', () => {
  const document = (path: string, more: object = {}) =>
    minimal(
      { '/a': { get: { operationId: 'listA', summary: path } } },
      {
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
        security: [{ key: [] }],
        ...more,
      },
    )

  it('updates, and keeps names, settings and secrets', async () => {
    const { post, put, get } = await startService()
    const { created } = await imported({ post }, { spec: document('First.') })
    const path = `/api-tools/${created[0].id}`
    await put(path, {
      name: 'mine',
      requires_approval: true,
      timeout_ms: 500,
      auth: { type: 'bearer', token: 'sesame-open' },
    })
    const { updated, created: none, secrets_needed: needed } = await imported({ post }, { spec: document('Second.') })
    expect([none, needed, updated.length]).toEqual([[], [], 1])
    expect((await get(path)).body.data).toMatchObject({
      name: 'mine',
      description: 'Second.',
      requires_approval: true,
      timeout_ms: 500,
      auth: { type: 'bearer', token_set: true },
    })
    expect((await get('/api-tools')).body.pagination.total).toBe(1)
  })

  it('removes the secrets if the API has moved', async () => {
    const { post, put } = await startService()
    const { created } = await imported({ post }, { spec: document('First.') })
    await put(`/api-tools/${created[0].id}`, { auth: { type: 'bearer', token: 'sesame-open' } })
    const moved = await imported({ post }, { spec: document('First.', { servers: [{ url: 'https://evil.example' }] }) })
    expect(moved.updated[0]).toMatchObject({
      url: 'https://evil.example/a',
      auth: { type: 'bearer', token_set: false },
    })
    expect(moved.secrets_needed).toEqual([{ auth: 'bearer', secret: 'auth.token', tool_ids: [created[0].id] }])
    const brought = await imported(
      { post },
      { spec: document('First.'), auth: { type: 'bearer', token: 'sesame-two' } },
    )
    expect([brought.updated[0].auth.token_set, brought.secrets_needed]).toEqual([true, []])
  })
})

describe('security schemes', () => {
  it('become authentication where it is supported', async () => {
    const service = await startService()
    const schemes = {
      bearer: { type: 'http', scheme: 'Bearer' },
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      machine: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://id.shop.example/token', scopes: {} } },
      },
      person: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://id.shop.example', scopes: {} } } },
    }
    const ways: [string, object[]][] = [
      ['none', [{ bearer: [] }, {}]],
      ['bearer', [{ bearer: [] }]],
      ['basic', [{ digest: [] }, { basic: [] }]],
      ['api_key', [{ header: [] }]],
      ['api_key', [{ cookie: [] }, { query: [] }]],
      ['oauth2_client_credentials', [{ machine: ['read', 'write'] }]],
      ['bearer', [{ person: [] }]],
    ]
    const paths = Object.fromEntries(
      ways.map(([, security], n) => [`/${n}`, { get: { operationId: `o${n}`, security } }]),
    )
    const bad = {
      '/bad': { get: { security: [{ cookie: [] }] } },
      '/both': { get: { security: [{ bearer: [], basic: [] }] } },
    }
    const { created, skipped } = await imported(service, {
      spec: minimal({ ...paths, ...bad }, { components: { securitySchemes: schemes } }),
    })
    expect(created.map((tool: Json) => tool.auth.type)).toEqual(ways.map(([type]) => type))
    expect(created[5].auth).toMatchObject({ token_url: 'https://id.shop.example/token', scope: 'read write' })
    expect(skipped.map((each: Json) => each.reason)).toEqual([
      expect.stringContaining('cookie'),
      expect.stringContaining('bearer and basic together'),
    ])
  })
})

describe('a document by URL', () => {
  it('is fetched through egress, and its URL completes relative servers', async () => {
    const service = await startService(mayCallLoopback)
    const spec = minimal({ '/a': { get: {} } }, { servers: [{ url: '../v2' }] })
    const api = await scriptedApi(({ url }) =>
      url === '/moved'
        ? { status: 302, headers: { location: '/docs/openapi.yaml' } }
        : url === '/docs/openapi.yaml'
          ? { body: JSON.stringify(spec) }
          : { status: 404 },
    )
    const { created } = await imported(service, { url: `${api.url}/moved` })
    expect(created[0].url).toBe(`${api.url}/v2/a`)
    const gone = await service.post('/api-tools/import', { url: `${api.url}/gone` })
    expect([gone.status, gone.body.details[0].path]).toEqual([400, 'url'])
    const blocked = await service.post('/api-tools/import', { url: 'http://169.254.169.254/openapi.json' })
    expect([blocked.status, blocked.body.code]).toEqual([400, 'egress_blocked'])
  })
})

describe('a hostile document', () => {
  it('is rejected with a reason if it is not OpenAPI', async () => {
    const { post } = await startService()
    const bomb = `a: &a [${'x,'.repeat(9)}x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: &c [${'*b,'.repeat(9)}*b]\nd: &d [${'*c,'.repeat(9)}*c]\ne: [${'*d,'.repeat(9)}*d]\n`
    const documents: [unknown, RegExp][] = [
      ['', /not an OpenAPI document|JSON or YAML/],
      ['just words', /not an OpenAPI document/],
      ['{"openapi": "3.0.0"', /JSON or YAML/],
      ['a: [b\nc: }', /JSON or YAML/],
      [bomb, /JSON or YAML/],
      [`${'['.repeat(100_000)}`, /JSON or YAML|read/],
      [{ swagger: '1.2', info: {}, paths: {} }, /Swagger 2\.0/],
      [{ openapi: '4.0.0' }, /OpenAPI 3\.x/],
      [[], /.*/],
    ]
    for (const [spec, message] of documents) {
      const { status, body } = await post('/api-tools/import', { spec })
      expect([String(spec).slice(0, 40), status, body.code]).toEqual([
        String(spec).slice(0, 40),
        400,
        'invalid_request',
      ])
      expect(body.details[0].path).toBe('spec')
      expect(body.error).toMatch(message)
    }
    expect((await post('/api-tools/import', {})).status).toBe(400)
    expect((await post('/api-tools/import', { spec: {}, url: 'https://example.com' })).status).toBe(400)
  })

  it('loses only the unusable operations', async () => {
    const service = await startService()
    const circle = {
      type: 'object',
      properties: { child: { $ref: '#/components/schemas/Circle' }, n: { type: 'integer' } },
    }
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `D${n}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/components/schemas/D${n + 1}` }, b: { $ref: `#/components/schemas/D${n + 1}` } },
        },
      ]),
    )
    const taking = (ref: string) => ({
      requestBody: { required: true, content: { 'application/json': { schema: { $ref: ref } } } },
    })
    const spec = minimal(
      {
        '/circle': { post: taking('#/components/schemas/Circle') },
        '/remote': { post: taking('https://evil.example/schema.json') },
        '/file': { post: taking('file:///etc/passwd') },
        '/gone': { post: taking('#/components/schemas/None') },
        '/self': { post: taking('#/components/schemas/Self') },
        '/prototype': { post: taking('#/constructor/prototype') },
        '/doubling': { post: taking('#/components/schemas/D0') },
        '/elsewhere': { get: { servers: [{ url: 'http://169.254.169.254' }] } },
        '/file-server': { get: { servers: [{ url: 'file:///etc' }] } },
        '/path-ref': { $ref: 'https://evil.example/path.json' },
        '/odd': { get: { parameters: [null, 7, { name: 'x', in: 'query', schema: 'nonsense' }], requestBody: 'no' } },
        '/good': { get: { operationId: 'good' } },
      },
      { components: { schemas: { Circle: circle, Self: { $ref: '#/components/schemas/Self' }, ...doubling } } },
    )
    const { created, skipped } = await imported(service, { spec })
    const made = created.map((tool: Json) => tool.source.operation)
    expect(made).toEqual(expect.arrayContaining(['POST /circle', 'GET /odd', 'GET /good']))
    expect(made.length + skipped.length).toBe(12)
    const reasons = Object.fromEntries(skipped.map((each: Json) => [each.operation, each.reason]))
    expect(reasons['POST /remote']).toMatch(/not fetched/)
    expect(reasons['POST /file']).toMatch(/not fetched/)
    expect(reasons['POST /gone']).toMatch(/not in the document/)
    expect(reasons['POST /prototype']).toMatch(/not in the document/)
    expect(reasons['POST /doubling']).toMatch(/too large|too deeply/)
    expect(reasons['GET /elsewhere']).toMatch(/blocked/)
    expect(reasons['GET /file-server']).toMatch(/absolute URL|invalid URL/)
    expect(reasons['/path-ref']).toMatch(/not fetched/)
    const tool = created.find((each: Json) => each.source.operation === 'POST /circle')
    const deep = { child: { child: { child: { n: 'no' } } } }
    const { body } = await service.post(`/api-tools/${tool.id}/test`, { arguments: deep })
    expect(body.details[0].path).toBe('arguments.child.child.child.n')
  })

  it('may have many operations, of which some are chosen', async () => {
    const { post, get } = await startService()
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`/p${n}/{id}`, { get: { operationId: `op${n}` } }]),
    )
    const spec = minimal(paths)
    for (const dry_run of [true, false]) {
      const refused = await post('/api-tools/import', { spec, dry_run })
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ path: 'operations', message: 'the document has 10000 matching operations; choose at most 5000' }],
      ])
    }
    const some = await imported({ post }, { spec, operations: ['op7', 'op9999'] })
    expect(some.created.length).toBe(2)
    const long = await post('/api-tools/import', { spec: `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}` })
    expect(long.status).toBe(413)
    expect((await get('/api-tools')).body.pagination.total).toBe(2)
  })

  it('may give one id to all of its operations', async () => {
    const { post } = await startService()
    const of = (count: number) =>
      minimal(Object.fromEntries(Array.from({ length: count }, (_, n) => [`/p${n}`, { get: { operationId: 'same' } }])))
    expect((await post('/api-tools/import', { spec: of(40_000) })).status).toBe(400)
    const { operations } = await imported({ post }, { spec: of(5000), dry_run: true })
    expect(new Set(operations.map(({ name }: Json) => name)).size).toBe(5000)
    expect(operations.at(-1).name).toBe('same_5000')
  })

  it.each(['object', 'text'])('does not hold up others, however large it is (%s)', async (form) => {
    const { url, token } = await startService()
    const fields = Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [`field_${n}`, { type: 'string', description: 'constructor \u00e9' }]),
    )
    const schema = { type: 'object', properties: fields }
    const operation = (n: number) => ({
      operationId: `op${n}`,
      description: 'x'.repeat(1000),
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 200: { description: 'y'.repeat(40_000), content: { 'application/json': { schema } } } },
    })
    const paths = Object.fromEntries(Array.from({ length: 320 }, (_, n) => [`/p${n}`, { post: operation(n) }]))
    const spec = minimal(paths)
    const body = Buffer.from(JSON.stringify({ spec: form === 'text' ? JSON.stringify(spec) : spec }))
    expect(body.length).toBeGreaterThan(12 * 1024 * 1024)
    let size = 0
    const work = await mainThreadWork(async () => {
      const answer = await fetch(`${url}/api/api-tools/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      })
      for await (const part of answer.body ?? []) size += part.length
      expect(answer.status).toBe(201)
    })
    expect(size).toBeGreaterThan(1_000_000)
    expect(work.calls('/api-tools/openapi/')).toBeLessThan(320 * 25) // fewer than the document has fields
    expect(work.json).toBeLessThan(body.length / 2)
  })
})
