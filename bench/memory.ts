import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedSearch, type SearchIndex } from '@parley/search'
import pMap from 'p-map'
import { type Api, createApi } from './api.ts'
import { type Bench, type Figure, quantile } from './bench.ts'
import { type Dialogue, generatedDialogues, readDialogues } from './memory/dialogues.ts'
import { startParley, startProvider } from './processes.ts'

const factCount = 10_000
const turnCount = 100
const warmUps = 10
/** Evidence counts if it is among this many facts. */
const first = 10

interface Reply {
  id: string
  memories?: { recalled: { content: string }[] }
}

export const memory: Bench = {
  about:
    'recalling facts before a reply. Times are of a person with 10,000 facts, beside turns of the same agent without memory. Evidence is the share of the turns that answer a question of a long dialogue among the first 10 facts, each turn of the dialogue being a fact, beside a search by words alone. Set `PARLEY_BENCH_DIALOGUES` to a folder with dialogues in the JSON format of LoCoMo; without it a small generated set is used.',

  async measure() {
    const provider = await startProvider()
    const parley = await startParley()
    const { call } = createApi(parley)
    try {
      const pricing = { input: 1, output: 1 }
      const fields = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url, pricing }
      const { id: model_id } = await call<{ id: string }>('POST', '/models', fields)
      const remembering = { name: 'A', model_id, memory: { scope: 'user', write: 'off' } }
      const { id: agent } = await call<{ id: string }>('POST', '/agents', remembering)
      return [...(await measureTimes(call, agent)), ...(await measureEvidence(call, agent))]
    } finally {
      await parley.stop()
      await provider.stop()
    }
  },
}

const remember = (call: Api['call'], user_id: string, facts: string[]): Promise<unknown> =>
  pMap(facts, (content) => call('POST', '/memories', { content, user_id }), { concurrency: 16 })

async function ask(call: Api['call'], agent: string, user_id: string, message: string, more: object = {}) {
  const { id } = await call<{ id: string }>('POST', '/conversations', { agent_id: agent, user_id, ...more })
  const started = performance.now()
  const reply = await call<Reply>('POST', `/conversations/${id}/messages`, { message })
  return { conversation: id, reply, time: performance.now() - started }
}

const subjects = [
  'garden',
  'harbour',
  'violin',
  'sister',
  'budget',
  'recipe',
  'bicycle',
  'library',
  'holiday',
  'office',
]
const verbs = ['repaired', 'visited', 'described', 'sold', 'painted', 'counted', 'photographed', 'borrowed']

async function measureTimes(call: Api['call'], agent: string): Promise<Figure[]> {
  const facts = Array.from({ length: factCount }, (_, n) => {
    const [subject, verb] = [subjects[n % subjects.length], verbs[Math.floor(n / subjects.length) % verbs.length]]
    return `In week ${n} they ${verb} the ${subject} number ${n} in house ${n % 97}.`
  })
  await remember(call, 'ada', facts)
  const steps: number[] = []
  const turns: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let n = -warmUps; n < turnCount; n++) {
    const question = `Who ${verbs[(n + warmUps) % verbs.length]} the ${subjects[(n + warmUps) % subjects.length]} in house ${n + warmUps}?`
    const plain = await ask(call, agent, 'ada', question, { memory: false })
    const { conversation, reply, time } = await ask(call, agent, 'ada', question)
    if (n < 0) continue
    turns.without.push(plain.time)
    turns.with.push(time)
    const trace = await call<{ steps: { type: string; duration_ms: number }[] }>(
      'GET',
      `/conversations/${conversation}/messages/${reply.id}/trace`,
    )
    steps.push(trace.steps.find(({ type }) => type === 'recall')?.duration_ms ?? 0)
  }
  const reference = { name: 'without memory', value: quantile(turns.without, 0.5) }
  return [
    { name: 'the step that recalls, p50', value: quantile(steps, 0.5), unit: 'ms' },
    {
      name: 'a turn with 10,000 facts, p50',
      value: quantile(turns.with, 0.5),
      unit: 'ms',
      reference,
      aim: { of: 'difference', max: 15 },
    },
  ]
}

async function measureEvidence(call: Api['call'], agent: string): Promise<Figure[]> {
  const folder = process.env.PARLEY_BENCH_DIALOGUES
  if (!folder) process.stdout.write('PARLEY_BENCH_DIALOGUES is not set: memory uses a small generated set.\n')
  const dialogues = folder ? readDialogues(folder) : generatedDialogues()
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const search = openEmbeddedSearch({ dataDir })
  try {
    const found = { recalled: 0, words: 0 }
    let questions = 0
    for (const [n, dialogue] of dialogues.entries()) {
      const person = `person-${n}`
      await remember(
        call,
        person,
        dialogue.turns.map(({ text }) => text.slice(0, 2000)),
      )
      const byWords = await wordSearch(search, person, dialogue)
      for (const { text, evidence } of dialogue.questions) {
        const { reply } = await ask(call, agent, person, text)
        const contents = (reply.memories?.recalled ?? []).slice(0, first).map(({ content }) => content)
        found.recalled += share(dialogue, evidence, contents)
        found.words += share(dialogue, evidence, await byWords(text))
        questions++
      }
    }
    const words = { name: 'by words alone', value: found.words / questions }
    const of = folder ? `${dialogues.length} dialogues` : 'a generated dialogue'
    const name = `evidence in the first ${first} facts, ${questions} questions on ${of}`
    return [{ name, value: found.recalled / questions, unit: '', reference: words, aim: { of: 'difference', min: 0 } }]
  } finally {
    await search.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The share of the evidence that is among these texts. */
function share({ turns }: Dialogue, evidence: string[], contents: string[]): number {
  const texts = new Map(turns.map(({ id, text }) => [id, text.slice(0, 2000)]))
  return evidence.filter((id) => contents.includes(texts.get(id) ?? '')).length / evidence.length
}

async function wordSearch(search: SearchIndex, workspace: string, { turns }: Dialogue) {
  const index = { workspace, key: 'facts' }
  const chunk = { documentId: 'facts', page: null, headings: [], metadata: {} }
  await search.update(index, {
    add: turns.map(({ id, text }) => ({ ...chunk, id, source: id, text: text.slice(0, 2000) })),
  })
  return async (query: string): Promise<string[]> => {
    const hits = await search.search(index, { query, topK: first, mode: 'keyword' })
    return hits.map((hit) => hit.chunk.text)
  }
}
