import { expect, it } from 'vitest'
import { SchemaValidator } from './json-schema.ts'

/** Definitions that refer to each other twice at each of 40 levels. */
const doubling = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, at === 40 ? {} : { allOf: [next, next] }]
    }),
  ),
}

it('does not validate with a schema whose definitions refer to each other too often, and drops what it does not declare', () => {
  const validator = new SchemaValidator()
  const problem = expect.stringContaining('refer to each other')
  expect(validator.check(JSON.stringify(doubling), '{"a":1,"b":2}')).toEqual({ faults: [], undeclared: ['b'], problem })
  expect(validator.problem(JSON.stringify(doubling))).toEqual(problem)
})

it('finds undeclared arguments beside patterns and references that cannot be used', () => {
  const schema = { properties: { a: {} }, patternProperties: { '(?=x)': {} }, allOf: [{ $ref: '#/%E0%A4' }] }
  expect(new SchemaValidator().check(JSON.stringify(schema), '{"a":1,"x":2}').undeclared).toEqual(['x'])
})
