import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../../../../test/any-character.ts'
import { buildRequest, type Templates } from './build.ts'
import { ArgumentError } from './template.ts'

const templates = (more: Partial<Templates>): Templates => ({
  method: 'GET',
  url: 'https://api.example.com:8443/v1/{a}/x/{b}?k={a}',
  headers: {},
  query: {},
  body: null,
  ...more,
})

const awkward = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '/',
    '\\',
    '//evil.example',
    '@evil.example',
    ':80',
    '?',
    '#',
    '\r\n',
    '\0',
    '{a}',
    '__proto__',
    '\ud800',
    '',
  ),
)
const anything = fc.oneof(awkward, fc.integer(), fc.double(), fc.boolean(), fc.jsonValue({ maxDepth: 3 }))

/** The request, or null where an argument was refused. */
const attempt = (tool: Templates, args: Record<string, unknown>) => {
  try {
    return buildRequest(tool, args)
  } catch (error) {
    if (error instanceof ArgumentError) return null
    throw error
  }
}

it('no value changes the host, the port or the number of path segments', () => {
  fc.assert(
    fc.property(anything, anything, fc.dictionary(awkward, anything, { maxKeys: 3 }), (a, b, more) => {
      const request = attempt(templates({}), { ...more, a, b })
      if (request === null) return
      expect(request.url.origin).toBe('https://api.example.com:8443')
      expect(request.url.username + request.url.password + request.url.hash).toBe('')
      const segments = request.url.pathname.split('/')
      expect([segments.length, segments[1], segments[3]]).toEqual([5, 'v1', 'x'])
    }),
    { numRuns: 3000 },
  )
})

it('encoded text can be decoded in every place', () => {
  fc.assert(
    fc.property(awkward, (a) => {
      const query = { q: '{a}', mixed: '<{a}>' }
      const request = attempt(templates({ url: 'https://e.com/{a}', query, method: 'POST', body: { deep: ['{a}'] } }), {
        a,
      })
      if (request === null) return
      const text = a.toWellFormed()
      expect(decodeURIComponent(request.url.pathname.slice(1))).toBe(text)
      expect([...new URL(request.url.href).searchParams]).toEqual([
        ['q', text],
        ['mixed', `<${text}>`],
      ])
      expect(JSON.parse(request.body ?? '')).toEqual({ deep: [a] })
    }),
    { numRuns: 2000 },
  )
})

it('JSON values keep their types in the body, whatever the field names', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(awkward, fc.jsonValue()), (a, rest) => {
      const exact = buildRequest(templates({ method: 'POST', url: 'https://e.com/', body: { x: '{a}' } }), { a })
      expect(exact.body).toBe(JSON.stringify({ x: a }))
      const args = JSON.parse(JSON.stringify(rest)) as Record<string, unknown>
      const left = buildRequest(templates({ method: 'POST', url: 'https://e.com/' }), args)
      expect(left.body ?? '{}').toBe(JSON.stringify(args))
    }),
  )
  const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>
  const request = buildRequest(
    templates({ method: 'POST', url: 'https://e.com/', headers: { 'x-a': '{toString}' } }),
    args,
  )
  expect(request.body).toBe('{"__proto__":{"polluted":true},"constructor":1}')
  expect(request.headers.has('x-a')).toBe(false)
  expect('polluted' in {}).toBe(false)
})

it('no header value contains a line break', () => {
  fc.assert(
    fc.property(anything, (a) => {
      const request = attempt(templates({ url: 'https://e.com/', headers: { 'X-A': 'b {a}' } }), { a })
      if (request?.headers.has('x-a')) new Headers({ 'x-a': request.headers.get('x-a') ?? '' })
    }),
  )
})

it('a request that would be too long is not built', () => {
  for (const body of ['{a}{a}'.repeat(50_000), Array(100_000).fill('{a}')])
    expect(() => buildRequest(templates({ method: 'POST', body }), { a: 'x'.repeat(1_000_000), b: '' })).toThrow('long')
})
