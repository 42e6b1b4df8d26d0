import { openEmbeddedSearch } from '../src/index.ts'
import { chunk, index } from './fixtures.ts'

/** A process to be killed: adds documents one by one and prints the number of each one that was acknowledged. */
const [, , dataDir = ''] = process.argv
const search = openEmbeddedSearch({ dataDir })
for (let number = 0; ; number++) {
  const parts = [0, 1, 2].map((part) => chunk(`c${number}-${part}`, `document${number} part ${part} of the story`))
  await search.update(index, { add: parts.map((part) => ({ ...part, documentId: `d${number}` })) })
  process.stdout.write(`${number}\n`)
}
