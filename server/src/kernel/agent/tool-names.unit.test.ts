import { expect, it } from 'vitest'
import { ToolNames } from './tool-names.ts'

it('numbers a name that is taken', () => {
  const names = new ToolNames(['a', 'a_3', 'x'.repeat(64)])
  expect(['a', 'a', 'b', 'a_2', 'x'.repeat(64)].map((name) => names.add(name))).toEqual([
    'a_2',
    'a_4',
    'b',
    'a_2_2',
    `${'x'.repeat(62)}_2`,
  ])
})

it('is linear, whatever the names', () => {
  const count = 20_000
  const numbered = Array.from({ length: count }, (_, n) => `same_${n}`)
  const alike = Array.from({ length: count }, (_, n) => `${'x'.repeat(58)}${String(n).padStart(6, '0')}`)
  const names = new ToolNames(numbered)
  const made = [...Array(count).fill('same'), ...alike, ...alike].map((name) => names.add(name))
  expect(new Set([...made, ...numbered]).size).toBe(4 * count)
  expect(made.every((name) => name.length <= 64)).toBe(true)
})
