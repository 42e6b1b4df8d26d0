import { expect, it } from 'vitest'
import type { Caller, Context } from '../context.ts'
import { loadTools, type Toolbox } from './tools.ts'

it('tools of different kinds that share a name are told apart', async () => {
  const toolboxes = ['one', 'two', 'three'].map(
    (prefix): Toolbox => ({
      prefix,
      tools: async (_ctx, _who, ids) =>
        ids.map((id) => ({
          id,
          name: 'x'.repeat(64),
          description: '',
          parameters: {},
          run: async () => ({ content: id }),
        })),
    }),
  )
  const tools = await loadTools({ toolboxes } as unknown as Context, {} as Caller, [
    'one_a',
    'two_a',
    'three_a',
    'three_b',
  ])
  expect(tools.map(({ id, name }) => [id, name])).toEqual([
    ['one_a', 'x'.repeat(64)],
    ['two_a', `${'x'.repeat(62)}_2`],
    ['three_a', `${'x'.repeat(62)}_3`],
    ['three_b', `${'x'.repeat(62)}_4`],
  ])
})
