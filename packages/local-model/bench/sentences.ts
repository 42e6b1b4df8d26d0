// How often the local model quotes the sentence with the marked answer, on XQuAD.
import { answerFrom, type RankOptions, rankSentences } from '../src/index.ts'
import { articleOf, type Case, type Paragraph, ParagraphSearch, readCases } from './xquad.ts'

const sets = ['xquad-en', 'xquad-de', 'xquad-zh']
const passagesOfSearch = 5

/** With `options.embed`, the sets in languages that it does not know are of no use. */
export async function sentences(options: RankOptions = {}, languages = sets): Promise<void> {
  const folder = process.env.PARLEY_BENCH_DATA
  if (!folder) {
    print('Set PARLEY_BENCH_DATA to the folder with xquad-en, xquad-de and xquad-zh.')
    return
  }
  print('The marked answer is in the top sentence / in the top three:')
  print(row('set', 'cases', 'right passage', `best ${passagesOfSearch} passages`, 'quoted', 'quotes', 'refused', 'ms'))
  for (const set of languages) {
    const cases = readCases(folder, set)
    const search = new ParagraphSearch([...new Set(cases.map(({ gold }) => gold))])
    await measure(set, 'all', cases, search, options)
    // The weights were tuned on the articles with even numbers: only the odd ones are a fair measure.
    const isFresh = ({ gold }: Case) => Number(articleOf(gold).slice(1)) % 2 === 1
    await measure(set, 'fresh', cases.filter(isFresh), search, options)
  }
  print('quoted: the reply to the best passages holds the marked answer. refused: with passages of other articles.')
}

async function measure(
  set: string,
  half: string,
  cases: Case[],
  search: ParagraphSearch,
  options: RankOptions,
): Promise<void> {
  const right = { first: 0, three: 0 }
  const found = { first: 0, three: 0 }
  let quoted = 0
  let quotes = 0
  let refused = 0
  let milliseconds = 0
  for (const each of cases) {
    const passages = search.best(each.question, passagesOfSearch)
    const others = search.best(each.question, passagesOfSearch, (other) => articleOf(other) !== articleOf(each.gold))
    await count(right, each, [each.gold], options)
    await count(found, each, passages, options)
    const started = performance.now()
    const reply = await answerFrom(each.question, contents(passages), options)
    milliseconds += performance.now() - started
    quotes += reply.quotes.length
    if (reply.quotes.some(({ passage, text }) => passages[passage] === each.gold && text.includes(each.answer)))
      quoted++
    if ((await answerFrom(each.question, contents(others), options)).quotes.length === 0) refused++
  }
  const percent = (value: number) => `${((100 * value) / cases.length).toFixed(1)} %`
  const both = ({ first, three }: typeof right) => `${percent(first)} / ${percent(three)}`
  const mean = (value: number) => (value / cases.length).toFixed(2)
  print(row(set, half, both(right), both(found), percent(quoted), mean(quotes), percent(refused), mean(milliseconds)))
}

async function count(
  counts: { first: number; three: number },
  { question, answer, gold }: Case,
  from: Paragraph[],
  options: RankOptions,
) {
  const top = (await rankSentences(question, contents(from), options)).slice(0, 3)
  const places = top.map(({ passage, text }) => from[passage] === gold && text.includes(answer))
  if (places[0]) counts.first++
  if (places.includes(true)) counts.three++
}

const contents = (paragraphs: Paragraph[]) => paragraphs.map(({ text }) => ({ content: text }))
const print = (line: string) => process.stdout.write(`${line}\n`)
const row = (...cells: string[]) =>
  cells.map((cell, place) => cell.padEnd([10, 8, 18, 18, 8, 8, 9, 6][place] ?? 0)).join(' ')

if (import.meta.main) await sentences()
