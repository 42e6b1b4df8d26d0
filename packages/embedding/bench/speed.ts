// npm run bench -w @parley/embedding: texts per second of both models (the best of five rounds, as
// other work on the machine slows some of them), and the median time to embed one query.
import { readFileSync } from 'node:fs'
import { createMiniLm, createStaticModel } from '../src/index.ts'

const words = readWords()
const rounds = 5
const passages = Array.from({ length: 32 }, () => syntheticText(100))
const queries = Array.from({ length: 40 }, () => syntheticText(12))
const print = (text: string) => process.stdout.write(`${text}\n`)

const staticTexts = Array.from({ length: 2000 }, () => syntheticText(100))
const { embed } = createStaticModel()
const staticRate = await measureRate(staticTexts, async (texts) => texts.map((text) => embed(text)))
print(`Static model, 1 thread: ${staticRate.toFixed(0)} texts of 100 tokens/s`)

for (const threads of [1, 2]) {
  const model = createMiniLm({ threads })
  const { available, reason } = await model.availability()
  if (!available) {
    print(`MiniLM is not available: ${reason}`)
    break
  }
  const rate = await measureRate(passages, model.embedPassages)
  const times: number[] = []
  for (const query of queries) {
    const started = performance.now()
    await model.embedQuery(query)
    times.push(performance.now() - started)
  }
  const label = `MiniLM, ${threads} thread${threads > 1 ? 's' : ''}`
  print(`${label}: ${rate.toFixed(1)} texts of 100 tokens/s, ${median(times).toFixed(2)} ms for a query of 12 tokens`)
  await model.close()
}

async function measureRate(texts: string[], embedAll: (texts: string[]) => Promise<unknown>): Promise<number> {
  let best = 0
  await embedAll(texts) // warms up
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await embedAll(texts)
    best = Math.max(best, (texts.length / (performance.now() - started)) * 1000)
  }
  return best
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? 0
}

/** A text of this many tokens, the start and end tokens included. */
function syntheticText(tokens: number): string {
  return Array.from({ length: tokens - 2 }, () => words[Math.floor(Math.random() * words.length)]).join(' ')
}

/** Words of the vocabulary, one token each. */
function readWords(): string[] {
  const vocabulary = readFileSync(new URL('../models/wordpiece-uncased/vocab.txt', import.meta.url), 'utf8')
  return vocabulary.split('\n').filter((token) => /^[a-z]{3,}$/.test(token))
}
