// A model that says 50 words at once, as fast as it can, or with a pause (DELAY, milliseconds) before each.
import { scriptedProvider } from '../server/test/scripted-provider.ts'

const deltas = Array.from({ length: 50 }, (_, n) => `word${n} `)
const delay = Number(process.env.DELAY ?? 0)
const provider = await scriptedProvider(
  { deltas, usage: { input: 100, output: 50 }, ...(delay > 0 && { delay }) },
  { record: false },
)
process.stdout.write(`listening on ${provider.url}\n`)
process.on('SIGTERM', () => process.exit(0))
