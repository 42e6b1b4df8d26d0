// A model that answers with 50 words: at once, or paced by FIRST_DELAY (before the first word) and DELAY (between words), in milliseconds.
import { scriptedProvider } from '../server/test/scripted-provider.ts'

const deltas = Array.from({ length: 50 }, (_, n) => `word${n} `)
const delay = Number(process.env.DELAY ?? 0)
const firstDelay = Number(process.env.FIRST_DELAY ?? 0)
const provider = await scriptedProvider(
  { deltas, usage: { input: 100, output: 50 }, ...(delay > 0 && { delay, firstDelay }) },
  { record: false },
)
process.stdout.write(`listening on ${provider.url}\n`)
process.on('SIGTERM', () => process.exit(0))
