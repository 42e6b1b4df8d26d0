import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { errorCatalogue } from '../../src/kernel/errors.ts'
import { openapiDocument } from '../../src/kernel/http/openapi.ts'
import { type Json, startService } from '../harness.ts'

const committed = () => JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as Json

it('openapi.json matches the routes (npm run openapi updates it)', async () => {
  const { routes, ctx, get } = await startService()
  const document = JSON.parse(JSON.stringify(openapiDocument(routes, ctx.version)))
  expect(committed()).toEqual(document)
  expect((await get('/openapi.json', { token: null })).body).toEqual(document)
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

it('marks named objects that may be null', () => {
  const { schemas } = committed().components
  expect(schemas.EvaluationRun.properties.summary.anyOf).toEqual([
    { $ref: '#/components/schemas/EvaluationSummary' },
    { type: 'null' },
  ])
  expect(schemas.EvaluationSummary.type).toBe('object')
})

it('everything with an id has created_at and updated_at', () => {
  // Parts of another resource, other protocols, and the list of agents, whose fields are fixed.
  const others = ['AgentListItem', 'MessageToolCall', 'TokenOfMe', 'WorkspaceOfMe']
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
