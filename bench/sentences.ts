import { createStaticModel } from '../packages/embedding/src/index.ts'
import { measureSentences, type Sentences, sets } from '../packages/local-model/bench/sentences.ts'
import { type Asked, askAll } from './answers/measure.ts'
import { type Bench, type Figure, missing, quantile } from './bench.ts'

export const sentences: Bench = {
  about:
    'the local model through an agent on real documents and on ours: how many replies to questions of our own are useful, that is, contain the fact that was asked for and cite a passage, and how many questions that the documents do not answer got an answer. The replies to the "held-out" half were never looked at while it was tuned. Then the local model on XQuAD: how often its reply to the best five passages contains the marked answer, and how often it says, with passages of other articles, that they do not answer. By words, and in English also by meaning, as in the service. "Fresh" are the articles that its weights were not tuned on.',

  async measure({ data, isFull }) {
    const replies = figuresOfReplies(await askAll(data), data ? 'documents and ours' : 'our documents')
    if (!data) return [...replies, missing('the local model on XQuAD', 'set PARLEY_BENCH_DATA')]
    return [...replies, ...(await onXquad(data, isFull))]
  },
}

async function onXquad(data: string, isFull: boolean): Promise<Figure[]> {
  const { embed } = createStaticModel()
  const byMeaning = { embed: async (texts: string[]) => texts.map((text) => embed(text)) }
  const figures = (await measureSentences(data, 'xquad-en', byMeaning)).flatMap((row) => figuresOf(row, 'meaning'))
  if (isFull) return figures
  for (const set of sets) figures.push(...(await measureSentences(data, set)).flatMap((row) => figuresOf(row, 'words')))
  return figures
}

const minUseful = 75
const maxWrong = 5

function figuresOfReplies(asked: Asked[], of: string): Figure[] {
  const halves = [
    { half: 'all', of: asked },
    { half: 'development half', of: asked.filter((each) => !each.isHeldOut) },
    { half: 'held-out half', of: asked.filter((each) => each.isHeldOut) },
  ]
  const percent = (some: Asked[], isSo: (each: Asked) => boolean) => (some.filter(isSo).length / some.length) * 100
  const figures = halves.flatMap(({ half, of: some }): Figure[] => {
    const answerable = some.filter(({ fact }) => fact !== null)
    const unanswerable = some.filter(({ fact }) => fact === null)
    const useful = percent(answerable, ({ isRight }) => isRight)
    const wrong = percent(unanswerable, ({ isRight }) => !isRight)
    return [
      { name: `${of}, ${half}, useful`, value: useful, unit: '%', aim: { min: minUseful } },
      { name: `${of}, ${half}, wrongly answered unanswerable`, value: wrong, unit: '%', aim: { max: maxWrong } },
    ]
  })
  const times = asked.map(({ milliseconds }) => milliseconds)
  return [...figures, { name: `${of}, a reply with its search, p50`, value: quantile(times, 0.5), unit: 'ms' }]
}

function figuresOf({ set, cases, right, found, ...row }: Sentences, by: string): Figure[] {
  const name = `${set}, by ${by}, ${cases}`
  const inSummary = by === 'meaning' ? { aim: {} } : {}
  return [
    { name: `${name}, answered`, value: row.quoted, unit: '%', ...inSummary },
    { name: `${name}, refused with other articles`, value: row.refused, unit: '%', ...inSummary },
    { name: `${name}, sentences of a reply`, value: row.quotes, unit: 'sentences' },
    { name: `${name}, top sentence of the right passage`, value: right.first, unit: '%' },
    { name: `${name}, top three sentences of the right passage`, value: right.three, unit: '%' },
    { name: `${name}, top sentence of the best passages`, value: found.first, unit: '%' },
    { name: `${name}, top three sentences of the best passages`, value: found.three, unit: '%' },
    { name: `${name}, time of a reply`, value: row.milliseconds, unit: 'ms' },
  ]
}
