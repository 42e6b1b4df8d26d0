import { expect, it } from 'vitest'
import { shownPath } from './declared.ts'
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
  expect(validator.check(JSON.stringify(doubling), '{"a":1,"b":2}')).toEqual({
    faults: [],
    undeclared: [['b']],
    problem,
  })
  expect(validator.problem(JSON.stringify(doubling))).toEqual(problem)
})

it('finds undeclared arguments beside patterns and references that cannot be used', () => {
  const schema = { properties: { a: {} }, patternProperties: { '(?=x)': {} }, allOf: [{ $ref: '#/%E0%A4' }] }
  expect(new SchemaValidator().check(JSON.stringify(schema), '{"a":1,"x":2}').undeclared).toEqual([['x']])
})

it.each([
  ['an object', { properties: { a: {} } }, { a: 1, x: 2 }, ['v.x']],
  ['each of a list', { items: { properties: { a: {} } } }, [{ a: 1 }, { x: 2 }], ['v[1].x']],
  ['a list by position', { prefixItems: [{ properties: { a: {} } }], items: {} }, [{ x: 1 }, { x: 2 }], ['v[0].x']],
  [
    'a definition that contains itself',
    { $ref: '#/$defs/tree' },
    { leaf: { leaf: { x: 1 }, x: 2 } },
    ['v.leaf.x', 'v.leaf.leaf.x'],
  ],
  ['all choices', { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, { a: 1, b: 2, x: 3 }, ['v.x']],
  ['values of any name', { additionalProperties: { properties: { a: {} } } }, { one: { a: 1, x: 2 } }, ['v.one.x']],
  ['patterns', { patternProperties: { '^x-': {} } }, { 'x-a': 1, y: 2 }, ['v.y']],
  [
    'a name of the prototype',
    { properties: { a: {} } },
    JSON.parse('{"__proto__":1,"constructor":2}'),
    ['v.__proto__', 'v.constructor'],
  ],
  ['an object of which nothing is said', { type: 'object' }, { x: 1 }, []],
  ['a choice of which nothing is said', { anyOf: [{ properties: { a: {} } }, { type: 'object' }] }, { x: 1 }, []],
  ['an open object', { properties: { a: {} }, additionalProperties: true }, { x: 1 }, []],
  ['a value of another type', { properties: { a: {} } }, 'text', []],
])('finds undeclared arguments below others: %s', (_what, v, value, expected) => {
  const tree = { properties: { leaf: { $ref: '#/$defs/tree' } } }
  const { undeclared } = new SchemaValidator().check(
    JSON.stringify({ properties: { v }, $defs: { tree } }),
    JSON.stringify({ v: value }),
  )
  expect(undeclared.map(shownPath)).toEqual(expected)
})

it('leaves names to the rule of an object that has one', () => {
  const schema = { properties: { v: { $ref: '#/$defs/closed' } }, $defs: { closed: { additionalProperties: false } } }
  const { undeclared, faults } = new SchemaValidator().check(JSON.stringify(schema), '{"v":{"x":1}}')
  expect([undeclared, faults]).toEqual([[], [{ path: 'v.x', message: 'is not one of the parameters' }]])
})
