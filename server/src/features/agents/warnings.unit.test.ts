import { expect, it } from 'vitest'
import type { Caller, Context } from '../../kernel/context.ts'
import { leakWarnings } from './warnings.ts'

const warned = async (...tools: string[]): Promise<boolean> =>
  (await leakWarnings({ toolboxes: [] as Context['toolboxes'] } as Context, {} as Caller, tools)).length > 0

it('uses the kind of a tool if nothing else is known', async () => {
  expect(await warned('rag_1', 'api_1')).toBe(true)
  expect(await warned('ret_1', 'api_1', 'api_2')).toBe(true)
  expect(await warned('rag_1', 'ret_1')).toBe(false)
  expect(await warned('api_1', 'api_2')).toBe(false)
  expect(await warned()).toBe(false)
})
