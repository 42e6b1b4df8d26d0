import { expect, it } from 'vitest'
import { languages } from './analysis/languages.ts'
import { prepareAll } from './preparation.ts'
import type { NewChunk } from './search-index.ts'

const chunk = (documentId: string, text: string): NewChunk => ({
  id: `${documentId} ${text}`,
  documentId,
  source: 's',
  page: null,
  headings: [],
  text,
  metadata: {},
})
const number = (name: string) => languages.findIndex((language) => language.name === name)
const detectLanguages = async (chunks: NewChunk[], counts: number[] = []) =>
  (await prepareAll(chunks, counts)).map(({ language }) => languages[language]?.name)

it('takes the language of its document, then of the index, for a passage that does not tell', async () => {
  const german = chunk('de', 'Die Verteidigung der Mannschaft war die beste, die es je gegeben hat.')
  const english = [1, 2].map((n) => chunk('en', `The defence of the team was the best that there had been, ${n}.`))
  expect(await detectLanguages([chunk('de', 'Bohrer 12'), ...english, german, chunk('other', 'Drills 12')])).toEqual([
    'german',
    'english',
    'english',
    'german',
    'english',
  ])
  const counts: number[] = []
  counts[number('german')] = 3
  expect(
    await detectLanguages(
      [chunk('x', 'Bohrer 12')],
      Array.from(counts, (count) => count ?? 0),
    ),
  ).toEqual(['german'])
})

it('takes plain letters for English where nothing tells the language', async () => {
  expect(
    await detectLanguages([chunk('a', 'Cordless drills, 12 V'), chunk('b', 'Дрель 12'), chunk('c', '42')]),
  ).toEqual(['english', 'unknown', 'unknown'])
})
