// npm run bench: how fast the service is, beside the least that could answer the same, in one run on one machine.
import { createStaticModel } from '../packages/embedding/src/index.ts'
import { sentences } from '../packages/local-model/bench/sentences.ts'
import { chat } from './chat.ts'
import { figures } from './figures.ts'
import { knowledge } from './knowledge.ts'
import { lists } from './lists.ts'
import { nodes } from './nodes.ts'
import { requests } from './requests.ts'
import { liveStreams } from './streams.ts'

const benches: Record<string, () => Promise<void>> = {
  requests,
  chat,
  streams: liveStreams,
  knowledge,
  figures,
  lists,
  nodes,
  sentences,
  async 'sentences-by-meaning'() {
    const model = createStaticModel()
    await sentences({ embed: async (texts) => texts.map((text) => model.embed(text)) }, ['xquad-en'])
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.\n`)
  process.exit(1)
}
for (const [name, bench] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await bench()
