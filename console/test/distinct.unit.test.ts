import { expect, it } from 'vitest'
import { distinguish, toLabels } from '../src/ui/distinct.ts'

const labels = (rows: Parameters<typeof toLabels>[0]) => [...toLabels(rows).values()]

it('leaves a name alone that nothing else has', () => {
  expect(
    labels([
      { id: '1', name: 'A', description: 'One' },
      { id: '2', name: 'B' },
    ]),
  ).toEqual(['A', 'B'])
})

it('tells models apart by provider and model, then by address and key', () => {
  const model = { name: 'GPT', provider: 'openai', model_id: 'gpt-5', endpoint: null }
  expect(
    labels([
      { ...model, id: '1' },
      { ...model, id: '2', model_id: 'gpt-5-mini' },
    ]),
  ).toEqual(['GPT (openai, gpt-5)', 'GPT (openai, gpt-5-mini)'])
  expect(
    labels([
      { ...model, id: '1' },
      { ...model, id: '2', endpoint: 'https://eu.example/v1' },
    ]),
  ).toEqual(['GPT', 'GPT (eu.example)'])
  expect(
    labels([
      { ...model, id: '1', api_key_hint: 'aaaa' },
      { ...model, id: '2', api_key_hint: 'bbbb' },
    ]),
  ).toEqual(['GPT (key ending in aaaa)', 'GPT (key ending in bbbb)'])
})

it('adds facts until all are distinct, and the id only where nothing else differs', () => {
  const at = '2026-11-03T10:00:00Z'
  const [one, two, three] = labels([
    { id: '1', name: 'A', description: 'Sales', created_at: at },
    { id: '2', name: 'A', description: 'Sales', created_at: '2026-11-04T10:00:00Z' },
    { id: '3', name: 'A', description: 'Support', created_at: at },
  ])
  expect(one).toMatch(/^A \(Sales, created Nov 3, 2026/)
  expect(two).toMatch(/^A \(Sales, created Nov 4, 2026/)
  expect(three).toMatch(/^A \(Support, created Nov 3/)
  expect([
    ...distinguish([
      { id: 'x', name: 'A' },
      { id: 'y', name: 'A' },
    ]).values(),
  ]).toEqual(['x', 'y'])
})
