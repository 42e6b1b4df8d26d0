import fc from 'fast-check'
import { expect, it } from 'vitest'
import { knownProviders } from '../../kernel/llm/providers.ts'
import { knownFacts, knownWindow, listPrice } from './well-known.ts'

const offered = (id: string) => ({ id, contextWindow: null, pricing: null, shutdownDate: null })

it('knows prices and windows of well-known models of each provider', () => {
  expect(knownFacts('openai', offered('gpt-4o-mini-2024-07-18'))).toEqual({
    context_window: 128_000,
    pricing: { input: 0.00015, output: 0.0006, cached_input: 0.000075 },
    warnings: [],
  })
  expect(listPrice('openai', 'text-embedding-3-small')).toEqual({ input: 0.00002, output: 0 })
  expect(listPrice('anthropic', 'claude-sonnet-4-5')).toMatchObject({ input: 0.003, output: 0.015 })
  expect(listPrice('google', 'gemini-2.5-pro')).toMatchObject({ input: 0.00125, output: 0.01 })
  expect(knownWindow('google', 'gemini-2.5-pro')).toBe(1_048_576)
  expect(knownWindow('cohere', 'command-a-03-2025')).toBe(256_000)
  for (const provider of ['mistral', 'groq', 'deepseek', 'cohere', 'xai'])
    expect([provider, listPrice(provider, 'gpt-4o')]).toEqual([provider, null])
})

it('finds models behind gateways by their names, and no models of Ollama', () => {
  expect(knownFacts('acme', offered('openai/gpt-4o')).pricing).toMatchObject({ input: 0.0025, output: 0.01 })
  expect(knownWindow('openai-compatible', 'claude-sonnet-4-5')).toBe(200_000)
  expect(listPrice('acme', 'gpt-4o')).toBe(null)
  expect(knownFacts('ollama', offered('mistral-small-latest'))).toMatchObject({ pricing: null, context_window: null })
})

it('passes on what the provider lists', () => {
  const own = { id: 'gpt-4o', contextWindow: 4096, pricing: { input: 0, output: 1e-6 }, shutdownDate: '2027-01-31' }
  expect(knownFacts('openai', own)).toEqual({
    context_window: 4096,
    pricing: { input: 0, output: 0.001 },
    warnings: [{ code: 'shutdown', message: expect.stringContaining('2027-01-31') }],
  })
})

it('takes any name', () => {
  const id = fc.oneof(fc.string(), fc.constantFrom('', '/', 'gpt-4o:', '__proto__', 'constructor', 'openai:gpt-4o'))
  const property = fc.property(fc.oneof(fc.string(), fc.constantFrom(...knownProviders)), id, (provider, name) => {
    const { pricing } = knownFacts(provider, offered(name))
    expect(pricing?.input ?? 0).toBeGreaterThanOrEqual(0)
  })
  fc.assert(property, { numRuns: 500 })
})
