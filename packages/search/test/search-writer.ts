import { openEmbeddedSearch } from '../src/embedded.ts'
import { chunk, index } from './search.ts'

/** A process to be killed: it adds documents one by one and names each one that was acknowledged. */
const [, , dataDir = ''] = process.argv
const search = openEmbeddedSearch({ dataDir })
for (let number = 0; ; number++) {
  const parts = [0, 1, 2].map((part) => chunk(`c${number}-${part}`, `document${number} part ${part} of the story`))
  await search.update(index, { add: parts.map((part) => ({ ...part, documentId: `d${number}` })) })
  process.stdout.write(`${number}\n`)
}
