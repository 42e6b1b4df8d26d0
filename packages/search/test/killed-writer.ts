import pg from 'pg'
import { openEmbeddedSearch, openPostgresSearch } from '../src/index.ts'
import { chunk, index } from './fixtures.ts'

/**
 * A process to be killed: adds documents one by one and prints the number of each one that was acknowledged. It stores
 * them in a folder, or in the database of a URL.
 */
const [, , place = ''] = process.argv
const search = place.startsWith('postgres:')
  ? await openPostgresSearch(new pg.Pool({ connectionString: place }))
  : openEmbeddedSearch({ dataDir: place })
for (let number = 0; ; number++) {
  const parts = [0, 1, 2].map((part) => chunk(`c${number}-${part}`, `document${number} part ${part} of the story`))
  await search.update(index, { add: parts.map((part) => ({ ...part, documentId: `d${number}` })) })
  process.stdout.write(`${number}\n`)
}
