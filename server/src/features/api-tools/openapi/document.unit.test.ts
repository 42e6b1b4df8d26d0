import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildRequest, splitUrl } from '../request/build.ts'
import { SchemaValidator } from '../sandbox/json-schema.ts'
import { readDocument } from './document.ts'
import type { Draft } from './operation.ts'

const validator = new SchemaValidator()

const whole = { documentUrl: null, documents: {}, baseUrl: null, chosen: null, auth: null }

function read(document: unknown) {
  const task = { ...whole, text: JSON.stringify(document) }
  const { drafts, skipped } = readDocument(task)
  return { drafts: drafts.map((draft) => JSON.parse(draft) as Draft), skipped }
}

const json = fc.jsonValue({ maxDepth: 3 })
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', '{x}', '../..', '#/paths'),
)
const often = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: json })

const reference = fc.constantFrom(
  '#/components/schemas/A',
  '#/components/schemas/B',
  '#/paths',
  '#',
  'x.json',
  '#/none',
)
const schema = fc.letrec<{ node: unknown }>((tie) => ({
  node: often(
    fc.oneof(
      { depthSize: 'small' },
      fc.record({ $ref: reference }),
      fc.record(
        {
          type: often(fc.constantFrom('string', 'object', 'array', 'integer', ['string', 'null'])),
          nullable: often(fc.boolean()),
          enum: often(fc.array(json, { maxLength: 3 })),
          minimum: often(fc.double()),
          exclusiveMinimum: often(fc.boolean()),
          minLength: often(fc.integer()),
          pattern: often(fc.constantFrom('^a+$', '(', '(?=x)', '(a+)+$', '[')),
          required: often(fc.array(text, { maxLength: 3 })),
        },
        { requiredKeys: [] },
      ),
      fc.record({ type: fc.constant('object'), properties: fc.dictionary(text, tie('node'), { maxKeys: 3 }) }),
      fc.record({ type: fc.constant('array'), items: tie('node') }),
      fc.record({ allOf: fc.array(tie('node'), { maxLength: 3 }) }),
    ),
  ),
})).node

const parameter = often(
  fc.record(
    {
      name: often(fc.oneof(text, fc.constantFrom('id', 'Host', 'X-A', 'tags[]'))),
      in: often(fc.constantFrom('path', 'query', 'header', 'cookie', 'nowhere')),
      required: often(fc.boolean()),
      style: often(fc.constantFrom('form', 'simple', 'matrix', 'deepObject', 'pipeDelimited')),
      explode: often(fc.boolean()),
      schema,
    },
    { requiredKeys: [] },
  ),
)
const operation = often(
  fc.record(
    {
      operationId: often(text),
      description: often(text),
      parameters: often(fc.array(parameter, { maxLength: 4 })),
      requestBody: often(
        fc.record({
          required: often(fc.boolean()),
          content: often(
            fc.dictionary(
              fc.constantFrom('application/json', 'text/plain', 'image/png', 'application/x-www-form-urlencoded'),
              fc.record({ schema }),
              { maxKeys: 2 },
            ),
          ),
        }),
      ),
      security: often(
        fc.array(fc.dictionary(fc.constantFrom('key', 'none', '__proto__'), fc.constant([])), { maxLength: 2 }),
      ),
      servers: often(
        fc.array(fc.record({ url: fc.oneof(text, fc.constant('https://{a}.example/')) }), { maxLength: 1 }),
      ),
    },
    { requiredKeys: [] },
  ),
)
const document = fc.record({
  openapi: fc.constantFrom('3.0.3', '3.1.0'),
  info: often(fc.record({ title: text })),
  servers: often(fc.constant([{ url: 'https://api.example.com/v1' }])),
  paths: often(
    fc.dictionary(
      fc.constantFrom('/a', '/a/{id}', '/{id}/{__proto__}', '/x#y', 'bad', '/{a b}'),
      often(fc.record({ get: operation, post: operation })),
      { maxKeys: 3 },
    ),
  ),
  components: often(
    fc.record({
      schemas: often(fc.record({ A: schema, B: schema })),
      securitySchemes: often(fc.constant({ key: { type: 'apiKey', in: 'header', name: 'X-Key' } })),
    }),
  ),
})

it('each operation of any document becomes a valid tool or is skipped with a reason', () => {
  let tools = 0
  fc.assert(
    fc.property(document, (value) => {
      const { drafts, skipped } = read(value)
      tools += drafts.length
      for (const draft of drafts) {
        expect(draft.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect([draft, validator.problem(JSON.stringify(draft.parameters))]).toEqual([draft, null])
        expect(() => splitUrl(draft.url)).not.toThrow()
        const args = Object.fromEntries(Object.keys(draft.parameters.properties as object).map((name) => [name, 'v']))
        expect(buildRequest(draft, args).url.protocol).toMatch(/^https?:$/)
      }
      for (const { reason } of skipped) expect(reason.length).toBeGreaterThan(5)
    }),
    { numRuns: 1000 },
  )
  expect(tools).toBeGreaterThan(200)
}, 300_000)

it('anything else is rejected with a reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 200 }),
        json.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        expect(() => readDocument({ ...whole, text })).toThrow(/JSON or YAML|not an OpenAPI|Swagger/)
      },
    ),
  )
})
