import { createStaticModel } from '../packages/embedding/src/index.ts'
import { measureSentences, type Sentences, sets } from '../packages/local-model/bench/sentences.ts'
import { type Asked, askAll } from './answers/measure.ts'
import { type Bench, type Figure, missing, quantile } from './bench.ts'

export const sentences: Bench = {
  about:
    'the local model through an agent on real documents and on ours: how many replies to questions of our own are useful, that is, contain the fact that was asked for and cite a passage, how many of them are answers and not the closest passages, and how many of all questions got a wrong answer. The replies to the "held-out" half were never looked at while it was tuned. Then the local model on XQuAD: how often its reply to the best five passages contains the marked answer, and how often it gives no answer with passages of other articles. By words, and in English also by meaning, as in the service. "Fresh" are the articles that its weights were not tuned on.',

  async measure({ data, isFull }) {
    const replies = figuresOfReplies(await askAll(data), data ? 'documents and ours' : 'our documents')
    if (!data) return [...replies, missing('the local model on XQuAD', 'set PARLEY_BENCH_DATA')]
    return [...replies, ...(await onXquad(data, isFull))]
  },
}

async function onXquad(data: string, isFull: boolean): Promise<Figure[]> {
  const { embed } = createStaticModel()
  const byMeaning = { embed: async (texts: string[]) => texts.map((text) => embed(text)) }
  const figures = (await measureSentences(data, 'xquad-en', byMeaning)).flatMap((row) => toFigures(row, 'meaning'))
  if (isFull) return figures
  for (const set of sets) figures.push(...(await measureSentences(data, set)).flatMap((row) => toFigures(row, 'words')))
  return figures
}

const minUseful = 80
const maxWrong = 3

function figuresOfReplies(asked: Asked[], of: string): Figure[] {
  const halves = [
    { half: 'development half', of: asked.filter((each) => !each.isHeldOut && !each.isFresh) },
    { half: 'held-out half', of: asked.filter((each) => each.isHeldOut && !each.isFresh) },
    { half: 'fresh, development half', of: asked.filter((each) => !each.isHeldOut && each.isFresh) },
    { half: 'fresh, held-out half', of: asked.filter((each) => each.isHeldOut && each.isFresh) },
  ]
  const percent = (some: Asked[], isSo: (each: Asked) => boolean) => (some.filter(isSo).length / some.length) * 100
  const figures = halves.flatMap(({ half, of: some }): Figure[] => {
    const answerable = some.filter(({ fact }) => fact !== null)
    const useful = percent(answerable, ({ hasFact }) => hasFact)
    const answered = percent(answerable, ({ hasFact, grade }) => hasFact && grade === 'answer')
    const wrong = percent(some, ({ hasFact, grade }) => !hasFact && grade === 'answer')
    return [
      { name: `${of}, ${half}, useful`, value: useful, unit: '%', aim: { min: minUseful } },
      { name: `${of}, ${half}, answered`, value: answered, unit: '%' },
      { name: `${of}, ${half}, wrong answers`, value: wrong, unit: '%', aim: { max: maxWrong } },
    ]
  })
  const times = asked.map(({ milliseconds }) => milliseconds)
  return [...figures, { name: `${of}, a reply with its search, p50`, value: quantile(times, 0.5), unit: 'ms' }]
}

function toFigures({ set, cases, right, found, ...row }: Sentences, by: string): Figure[] {
  const name = `${set}, by ${by}, ${cases}`
  const inSummary = by === 'meaning' ? { aim: {} } : {}
  return [
    { name: `${name}, right answer`, value: row.quoted, unit: '%', ...inSummary },
    { name: `${name}, no answer with other articles`, value: row.refused, unit: '%', ...inSummary },
    { name: `${name}, wrong answer`, value: row.wrong, unit: '%' },
    { name: `${name}, right closest passage`, value: row.closest, unit: '%' },
    { name: `${name}, top sentence of the right passage`, value: right.first, unit: '%' },
    { name: `${name}, top three sentences of the right passage`, value: right.three, unit: '%' },
    { name: `${name}, top sentence of the best passages`, value: found.first, unit: '%' },
    { name: `${name}, top three sentences of the best passages`, value: found.three, unit: '%' },
    { name: `${name}, time of a reply`, value: row.milliseconds, unit: 'ms' },
  ]
}
