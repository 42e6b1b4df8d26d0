import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, TestRunner } from 'vitest'
import type { Chunk, IndexName, SearchIndex, SearchRequest } from '../src/index.ts'

export const index: IndexName = { workspace: 'wsp_1', key: 'handbook' }

/** Where an engine stores its indexes. They are there again after a close and another open. */
interface Storage {
  open(): SearchIndex | Promise<SearchIndex>
}

export type NewStorage = () => Storage | Promise<Storage>

const foldersOfSuites: string[] = []
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A folder that is deleted when the test ends; one of a suite is deleted by `removeFolders`. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-search-'))
  if (TestRunner.getCurrentTest()) onTestFinished(() => remove(folder))
  else foldersOfSuites.push(folder)
  return folder
}

export const removeFolders = (): void => foldersOfSuites.splice(0).forEach(remove)

/** Opens an engine for one test. */
export async function openOnce(newStorage: NewStorage): Promise<SearchIndex> {
  const search = await (await newStorage()).open()
  onTestFinished(() => search.close())
  return search
}

export async function searchIds(
  search: SearchIndex,
  query: string,
  more: Partial<SearchRequest> = {},
): Promise<string[]> {
  const hits = await search.search(index, { query, topK: 10, ...more })
  return hits.map(({ chunk: { id } }) => id)
}

export const chunk = (id: string, text: string, more: Partial<Chunk> = {}): Chunk => ({
  id,
  documentId: `doc-of-${id}`,
  source: 'handbook.md',
  page: null,
  headings: [],
  text,
  metadata: {},
  ...more,
})

/** A small handbook whose passages are about different subjects. */
export const handbook: Chunk[] = [
  chunk('leave', 'Parents get sixteen weeks of leave after the birth of a child.', { documentId: 'people', page: 1 }),
  chunk('sick', 'Whoever is ill tells the manager in the morning and stays at home.', {
    documentId: 'people',
    page: 2,
  }),
  chunk('pump', 'The pump must be primed with water before it is started.', {
    documentId: 'machines',
    source: 'machines.pdf',
    metadata: { year: 2021 },
  }),
  chunk('filter', 'Change the water filter of the coffee machine every month.', {
    documentId: 'machines',
    source: 'machines.pdf',
    metadata: { year: 2023 },
  }),
  chunk('wifi', 'The password of the guest network is on the wall of the reception.', { documentId: 'office' }),
]
