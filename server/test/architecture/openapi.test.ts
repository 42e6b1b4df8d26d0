import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { errorCatalogue } from '../../src/kernel/errors.ts'
import { type Json, startService } from '../harness.ts'
import { resolved, violation } from '../openapi-check.ts'

const committed = () => JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Json

it('openapi.json matches the routes (npm run openapi updates it)', async () => {
  const { get } = await startService()
  expect((await get('/openapi.json', { token: null })).body).toEqual(committed())
})

it('is a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate(committed())
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(committed().openapi).toBe('3.1.0')
})

it('has a summary, an example body and the errors of every route', () => {
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Json>(committed().paths)) {
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const name = `${method} ${path}`
      expect([name, typeof operation.summary, operation.tags.length]).toEqual([name, 'string', 1])
      expect([name, ids.has(operation.operationId)]).toEqual([name, false])
      ids.add(operation.operationId)
      const content: Json = Object.values(operation.requestBody?.content ?? {})[0]
      if (content) expect([name, content.example]).toEqual([name, expect.anything()])
      const wanted = operation.security?.length === 0 ? ['429', '500'] : ['401', '403', '429', '500']
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(wanted))
      const described = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = operation.parameters.filter((each: Json) => each.in === 'path').map((each: Json) => each.name)
      expect([name, declared]).toEqual([name, described])
    }
  }
})

/** Every place with content: request bodies, responses and webhooks. */
function contents(): { place: string[]; type: string; media: Json }[] {
  const found: { place: string[]; type: string; media: Json }[] = []
  const visit = (node: Json, place: string[]) => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries<Json>(node)) {
      if (key === 'content') {
        for (const [type, media] of Object.entries<Json>(value))
          found.push({ place: [...place, key, type], type, media })
      } else if (key !== 'schemas') visit(value, [...place, key])
    }
  }
  for (const part of ['paths', 'webhooks', 'components']) visit(committed()[part], [part])
  return found
}

it('has an example of all content, and every example is valid', () => {
  const all = contents()
  expect(all.length).toBeGreaterThan(200)
  for (const { place, type, media } of all) {
    const examples = media.examples ? Object.values<Json>(media.examples).map(({ value }) => value) : [media.example]
    for (const example of examples) {
      expect([place.join(' '), example]).toEqual([place.join(' '), expect.anything()])
      expect([place.join(' '), violation([...place, 'schema'], example)]).toEqual([place.join(' '), null])
      if (type !== 'application/x-ndjson') continue
      const line = violation([...place, 'schema', 'contentSchema'], JSON.parse(example))
      expect([place.join(' '), line]).toEqual([place.join(' '), null])
    }
  }
})

it('says what every array contains', () => {
  const lacking: string[] = []
  const visit = (node: Json, place: string) => {
    if (typeof node !== 'object' || node === null) return
    if ([node.type].flat().includes('array') && !('items' in node)) lacking.push(place)
    for (const [key, value] of Object.entries(node)) if (!/^examples?$/.test(key)) visit(value, `${place}/${key}`)
  }
  visit(committed(), '')
  expect(lacking).toEqual([])
})

it('does not require fields of a body that have a default', () => {
  const { schemas } = committed().components
  const required = [
    'SendMessage',
    'RegenerateMessage',
    'RagQuery',
    'ApiToolImport',
    'ApiToolCall',
    'RenderPromptTemplate',
  ]
  expect(required.map((name) => schemas[name].required)).toEqual([['message'], [], ['query'], [], [], []])
  for (const { place, media } of contents().filter(({ place }) => place.includes('requestBody'))) {
    const name = media.schema.$ref?.split('/').at(-1)
    const { properties = {}, required = [] } = name ? schemas[name] : media.schema
    const filledIn = required.filter((each: string) => 'default' in properties[each])
    expect([place[1], filledIn]).toEqual([place[1], []])
  }
})

it('describes streams, files and the headers of requests and responses', () => {
  const { paths, components } = committed()
  const message = paths['/api/conversations/{id}/messages'].post
  const { content } = resolved(message.responses[200])
  expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream'])
  expect(content['text/event-stream'].schema.$ref).toBe('#/components/schemas/ReplyEvent')
  const results = paths['/api/evaluations/{id}/results'].get.responses[200].content
  expect(Object.keys(results)).toEqual(['application/json', 'text/csv', 'application/x-ndjson'])
  expect(Object.keys(paths['/api/mcp'].post.responses).slice(0, 2)).toEqual(['200', '202'])
  const stream = paths['/api/conversations/{id}/messages/{message}/stream'].get
  expect(stream.parameters.map((each: Json) => each.name)).toContain('Last-Event-ID')
  const agent = paths['/api/agents/{id}']
  const listHeaders = (operation: Json) => operation.parameters.map((each: Json) => each.$ref?.split('/').at(-1))
  expect(listHeaders(agent.get)).toEqual([undefined, 'workspace', 'seenAs', 'ifNoneMatch'])
  expect(listHeaders(agent.put)).toEqual([undefined, 'workspace', 'ifMatch'])
  expect(listHeaders(message)).toEqual([undefined, 'protocol', 'workspace', 'idempotencyKey'])
  expect(Object.keys(resolved(agent.get.responses[200]).headers)).toContain('ETag')
  expect(Object.keys(components.responses.rate_limited.headers)).toContain('Retry-After')
  expect(Object.keys(components.responses.rate_limited.content)).toEqual([
    'application/json',
    'application/problem+json',
  ])
})

it('passes the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'parameter-description': 'error' } })
  const ref = fileURLToPath(new URL('../../../openapi.json', import.meta.url))
  const problems = await lint({ ref, config })
  const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
  // These only redirect a browser.
  const redirecting = ['api/auth/callback', 'api/auth/login', 'oauth/authorize']
  const redirects = redirecting.map((path) => `#/paths/~1${path.replaceAll('/', '~1')}/get/responses`)
  const withoutSuccess = ['operation-2xx-response', 'Operation must have at least one `2XX` response.']
  expect(found).toEqual(redirects.map((pointer) => [...withoutSuccess, pointer]))
})

it('names no schema like a global of JavaScript or of browsers, which its type would shadow', () => {
  const lib = createRequire(new URL('../../../client/package.json', import.meta.url)).resolve(
    'typescript/lib/lib.dom.d.ts',
  )
  const ofBrowsers = [...readFileSync(lib, 'utf8').matchAll(/^(?:declare var|interface) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...ofBrowsers])
  expect(globals.size).toBeGreaterThan(1000)
  expect(Object.keys(committed().components.schemas).filter((name) => globals.has(name))).toEqual([])
})

it('refers to headers, to 304 and to whatever else several operations share', () => {
  const { paths } = committed()
  const operations = Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))
  const responses = operations.flatMap((operation) => Object.entries<Json>(operation.responses))
  expect(responses.filter(([status, { $ref }]) => status === '304' && !$ref)).toEqual([])
  const inline = responses.flatMap(([, { headers = {} }]) => Object.values<Json>(headers)).filter(({ $ref }) => !$ref)
  expect(inline).toEqual([])
  const repeated = (all: Json[]) => {
    const texts = all.filter(({ $ref }) => !$ref).map((each) => JSON.stringify(each))
    return texts.filter((text, index) => texts.indexOf(text) < index)
  }
  expect(repeated(responses.map(([, response]) => response))).toEqual([])
  const parameters = operations.flatMap((operation) => operation.parameters)
  expect(repeated(parameters.filter((each: Json) => each.in === 'query'))).toEqual([])
})

it('asks for no field in a new resource that the service sets', () => {
  const { schemas } = committed().components
  const readOnly = (node: Json): string[] =>
    Object.entries<Json>(node.items?.properties ?? node.properties ?? {}).flatMap(([name, field]) =>
      field.readOnly ? [name] : readOnly(field).map((inner) => `${name}.${inner}`),
    )
  const found = contents()
    .filter(({ place }) => place.includes('requestBody') && place[2] === 'post')
    .flatMap(({ place, media: { schema } }) =>
      readOnly(schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema).map((name) => `${place[1]} ${name}`),
    )
  expect(found).toEqual([])
})

it('says what every field of a body is, which clients show as hover text', () => {
  const lacking = new Set<string>()
  const seen = new Set<Json>()
  const visit = (node: Json, name: string) => {
    const schema = resolved(node)
    if (seen.has(schema)) return
    seen.add(schema)
    for (const part of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) visit(part, name)
    for (const [field, value] of Object.entries<Json>(schema.properties ?? {})) {
      const described = [value, ...(value.anyOf ?? [])].some((part) => resolved(part).description || part.description)
      if (!described) lacking.add(`${schema.title ?? name} ${field}`)
      visit(value, `${name} ${field}`)
    }
  }
  const isOurs = (path = '') => !/^\/api\/(openai|mcp)\b/.test(path) // the other protocols are described elsewhere
  for (const { place, media } of contents())
    if (place[0] === 'paths' && place.includes('requestBody') && isOurs(place[1])) visit(media.schema, place[1] ?? '')
  expect([...lacking]).toEqual([])
})

it('marks named objects that may be null', () => {
  const { schemas } = committed().components
  expect(schemas.EvaluationRun.properties.summary.anyOf).toEqual([
    { $ref: '#/components/schemas/EvaluationSummary' },
    { type: 'null' },
  ])
  expect(schemas.EvaluationSummary.type).toBe('object')
})

it('everything with an id has created_at and updated_at', () => {
  // Parts of another resource, other protocols, files, which never change, and the list of agents, whose fields are fixed.
  const others = [
    'AgentListItem',
    'EvaluationRunInList',
    'MessageToolCall',
    'RecalledMemory',
    'TokenOfMe',
    'UploadedFile',
    'UserName',
    'WorkspaceOfMe',
  ]
  const isOther = (name: string) => others.includes(name) || /^(Mcp|OpenAi|Chat|Response)/.test(name)
  const lacking = Object.entries<Json>(committed().components.schemas)
    .filter(([name, { properties }]) => !isOther(name) && properties?.id)
    .filter(([, { properties }]) => !properties.created_at || !properties.updated_at)
  expect(lacking.map(([name]) => name)).toEqual([])
})

it('docs/errors.md lists every error code', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| (\d+) +\| `(\w+)` +\|/gm)].map((match) => [match[2], Number(match[1])])
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(errorCatalogue).map(([code, [status]]) => [code, status])),
  )
})
