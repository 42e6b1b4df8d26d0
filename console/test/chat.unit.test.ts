import { expect, it } from 'vitest'
import { merged } from '../src/chat/merge-messages.ts'
import { dayGroup } from '../src/pages/chat/day-groups.ts'

const said = (id: string) => ({ id, updated_at: '', status: 'completed', versions: [id], feedback: null })

it('keeps what did not change as it is, and the older messages that were loaded', () => {
  const shown = ['a', 'b', 'c'].map((id) => said(id))
  const [a, b, c] = shown
  const loaded = [{ ...b }, { ...c, versions: ['c', 'd'] }, said('e')] as typeof shown
  const next = merged(shown, loaded)
  expect(next.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'e'])
  expect([next[0] === a, next[1] === b, next[2] === c]).toEqual([true, true, false])
  // Another branch from the first message on.
  expect(merged(shown, [said('x')]).map(({ id }) => id)).toEqual(['x'])
})

it('groups times by day, then by month', () => {
  const now = new Date(2026, 10, 16, 0, 30).getTime()
  const group = (...date: [number, number, number, number]) => dayGroup(new Date(...date).toISOString(), now)
  expect(group(2026, 10, 16, 0)).toBe('Today')
  expect(group(2026, 10, 15, 23)).toBe('Yesterday')
  expect(group(2026, 10, 9, 1)).toBe('Previous 7 days')
  expect(group(2026, 10, 8, 1)).toBe('Previous 30 days')
  expect(group(2026, 8, 30, 1)).toBe('September 2026')
})
