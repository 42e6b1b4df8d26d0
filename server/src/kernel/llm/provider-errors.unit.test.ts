import { describe, expect, it } from 'vitest'
import { providerMessage, retryAfter } from './provider-errors.ts'

describe('the message of a provider', () => {
  it.each([
    ['{"error":{"message":"No such model"}}', 'No such model'],
    ['{"error":"model not found"}', 'model not found'],
    ['{"message":"invalid api token"}', 'invalid api token'],
    ['{"detail":"Not Found"}', 'Not Found'],
    ['[{"error":{"code":400,"message":"API key not valid"}}]', 'API key not valid'],
    ['{"detail":[{"loc":["body","n"],"msg":"odd"}]}', '{"detail":[{"loc":["body","n"],"msg":"odd"}]}'],
    ['"only a string"', 'only a string'],
    ['upstream connect error', 'upstream connect error'],
    ['', 'no explanation'],
  ])('in %s is %s', (text, message) => {
    expect(providerMessage(text, null)).toBe(message)
  })

  it.each([
    ['{"detail":{"x":"SEKRIT\\/k\\u0026y+zzzz"}}', '{"detail":{"x":"***"}}'],
    ['{"detail":{"x":"SEKRIT/k&y+zzzz"}}', '{"detail":{"x":"***"}}'],
    ['{"error":{"message":"not SEKRIT\\/k\\u0026y\\u002bzzzz"}}', 'not ***'],
    ['{"error":{"message":"{\\"key\\":\\"SEKRIT\\\\/k\\\\u0026y+zzzz\\"}"}}', '{"key":"***"}'],
    ['no SEKRIT\\/k\\u0026y+zzzz here, nor SEKRIT%2Fk%26y%2Bzzzz', 'no *** here, nor ***'],
  ])('in %s does not show the key', (text, message) => {
    expect(providerMessage(text, 'SEKRIT/k&y+zzzz')).toBe(message)
  })

  it('keeps its text if the key is very short', () => {
    expect(providerMessage('a bad key: Bearer a', 'a')).toBe('a bad key: Bearer ***')
  })

  it('is cut between characters', () => {
    const message = providerMessage(`${'x'.repeat(499)}👋`, null)
    expect(message.isWellFormed()).toBe(true)
    expect(message).toHaveLength(500)
  })
})

describe('the retry delay of a provider', () => {
  const now = Date.parse('2026-11-15T00:00:00Z')

  it.each([
    [{}, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '2.5' }, 2500],
    [{ 'retry-after': ['3', '9'] }, 3000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 00:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Sat, 14 Nov 2026 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'in a while' }, null],
    [{ 'retry-after-ms': '150', 'retry-after': '1' }, 150],
  ])('by %j is %s', (headers, expected) => {
    expect(retryAfter(headers, now)).toBe(expected)
  })
})
