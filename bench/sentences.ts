import { createStaticModel } from '../packages/embedding/src/index.ts'
import { measureSentences, type Sentences, sets } from '../packages/local-model/bench/sentences.ts'
import { type Bench, type Figure, missing } from './bench.ts'

export const sentences: Bench = {
  about:
    'the local model on XQuAD: how often its reply to the best five passages contains the marked answer, and how often it says, with passages of other articles, that they do not answer. By words, and in English also by meaning, as in the service. "Fresh" are the articles that its weights were not tuned on.',

  async measure({ data, isFull }) {
    if (!data) return [missing('the local model on XQuAD', 'set PARLEY_BENCH_DATA')]
    const { embed } = createStaticModel()
    const byMeaning = { embed: async (texts: string[]) => texts.map((text) => embed(text)) }
    const figures = (await measureSentences(data, 'xquad-en', byMeaning)).flatMap((row) => figuresOf(row, 'meaning'))
    if (isFull) return figures
    for (const set of sets)
      figures.push(...(await measureSentences(data, set)).flatMap((row) => figuresOf(row, 'words')))
    return figures
  },
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
