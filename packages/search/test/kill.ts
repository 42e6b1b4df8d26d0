import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { SearchIndex } from '../src/index.ts'
import { index, searchIds } from './fixtures.ts'

/** Kills a process in the middle of its changes: those that it acknowledged are there, and none is there by half. */
export async function expectKillLosesNothing(
  place: string,
  open: () => SearchIndex | Promise<SearchIndex>,
): Promise<void> {
  const script = fileURLToPath(new URL('./killed-writer.ts', import.meta.url))
  const writer = spawn(process.execPath, [script, place], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acknowledged = -1
  for await (const line of createInterface(writer.stdout)) {
    acknowledged = Number(line)
    if (acknowledged === 20) writer.kill('SIGKILL')
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  expect(writer.signalCode).toBe('SIGKILL')

  const search = await open()
  const { documents = 0, chunks } = (await search.describe(index)) ?? {}
  expect(documents).toBeGreaterThan(acknowledged)
  expect(chunks).toBe(3 * documents)
  for (const number of [0, 7, acknowledged]) {
    expect((await searchIds(search, `document${number}`, { mode: 'keyword' })).sort()).toEqual(
      [0, 1, 2].map((part) => `c${number}-${part}`),
    )
  }
  await search.update(index, { remove: { documents: ['d7'] } })
  expect(await searchIds(search, 'document7', { mode: 'keyword' })).toEqual([])
}
