// How often the local model quotes the sentence with the marked answer, on XQuAD.
import { answerFrom, type RankOptions, rankSentences } from '../src/index.ts'
import { articleId, type Case, type Paragraph, ParagraphSearch, readCases } from './xquad.ts'

export const sets = ['xquad-en', 'xquad-de', 'xquad-zh']
const passagesOfSearch = 5

/** Shares are in percent of the cases. */
export interface Sentences {
  set: string
  cases: 'all' | 'fresh'
  /** The marked answer is in the top sentence of the right passage, in the top three. */
  right: HitRates
  /** The same among the best passages of a search. */
  found: HitRates
  /** The reply to the best passages is an answer that contains the marked one. */
  quoted: number
  /** It is an answer without the marked one. */
  wrong: number
  /** It quotes the closest passages, and one of them contains the marked answer. */
  closest: number
  /** With passages of other articles, the reply is no answer. */
  refused: number
  /** Milliseconds a reply. */
  milliseconds: number
}

interface HitRates {
  first: number
  three: number
}

/** The weights were tuned on the articles with even numbers: only the odd ones, `fresh`, are a fair measure. */
export async function measureSentences(folder: string, set: string, options: RankOptions = {}): Promise<Sentences[]> {
  const cases = readCases(folder, set)
  const search = new ParagraphSearch([...new Set(cases.map(({ gold }) => gold))])
  const outcomes: Outcome[] = []
  for (const each of cases) outcomes.push(await measureCase(each, search, options))
  const isFresh = ({ gold }: Case) => Number(articleId(gold).slice(1)) % 2 === 1
  const fresh = outcomes.filter((_, at) => isFresh(cases[at] as Case))
  return [summary(set, 'all', outcomes), summary(set, 'fresh', fresh)]
}

interface Outcome {
  /** The rank of the marked answer, from 0; -1 if it is not in the top three. */
  right: number
  found: number
  isAnswer: boolean
  isRight: boolean
  isRefused: boolean
  milliseconds: number
}

async function measureCase(each: Case, search: ParagraphSearch, options: RankOptions): Promise<Outcome> {
  const passages = search.best(each.question, passagesOfSearch)
  const others = search.best(each.question, passagesOfSearch, (other) => articleId(other) !== articleId(each.gold))
  const right = await answerRank(each, [each.gold], options)
  const found = await answerRank(each, passages, options)
  const started = performance.now()
  const reply = await answerFrom(each.question, contents(passages), options)
  const milliseconds = performance.now() - started
  const isRight = ({ passage, text }: { passage: number; text: string }) =>
    passages[passage] === each.gold && text.includes(each.answer)
  const other = await answerFrom(each.question, contents(others), options)
  return {
    right,
    found,
    isAnswer: reply.grade === 'answer',
    isRight: reply.quotes.some(isRight),
    isRefused: other.grade !== 'answer',
    milliseconds,
  }
}

async function answerRank({ question, answer, gold }: Case, from: Paragraph[], options: RankOptions): Promise<number> {
  const top = (await rankSentences(question, contents(from), options)).slice(0, 3)
  return top.findIndex(({ passage, text }) => from[passage] === gold && text.includes(answer))
}

function summary(set: string, cases: Sentences['cases'], outcomes: Outcome[]): Sentences {
  const mean = (value: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + value(outcome), 0) / outcomes.length
  const percent = (isSo: (outcome: Outcome) => boolean) => mean((outcome) => (isSo(outcome) ? 100 : 0))
  const hitRates = (of: 'right' | 'found'): HitRates => ({
    first: percent((outcome) => outcome[of] === 0),
    three: percent((outcome) => outcome[of] >= 0),
  })
  return {
    set,
    cases,
    right: hitRates('right'),
    found: hitRates('found'),
    quoted: percent(({ isAnswer, isRight }) => isAnswer && isRight),
    wrong: percent(({ isAnswer, isRight }) => isAnswer && !isRight),
    closest: percent(({ isAnswer, isRight }) => !isAnswer && isRight),
    refused: percent(({ isRefused }) => isRefused),
    milliseconds: mean(({ milliseconds }) => milliseconds),
  }
}

const contents = (paragraphs: Paragraph[]) => paragraphs.map(({ text }) => ({ content: text }))

if (import.meta.main) {
  const folder = process.env.PARLEY_BENCH_DATA
  if (!folder) throw new Error('Set PARLEY_BENCH_DATA to the folder with xquad-en, xquad-de and xquad-zh.')
  for (const set of sets)
    for (const row of await measureSentences(folder, set)) process.stdout.write(`${JSON.stringify(row)}\n`)
}
