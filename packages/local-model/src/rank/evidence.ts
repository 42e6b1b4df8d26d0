import { numberWords } from '../text/numbers.ts'
import { eachWord, folded } from '../text/words.ts'
import type { MatchWord } from './match-words.ts'
import type { Expected, Question } from './question.ts'

const words = (list: string): Set<string> => new Set(list.split(' '))

const calendarWords = words(
  'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday century decade januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag jahrhundert jahrhunderts jahrzehnt',
)
const amountWords = words(
  'hundred thousand million millions billion billions trillion dozen half third quarter percent twice once hundert tausend million millionen milliarde milliarden halfte drittel viertel prozent dutzend',
)

const answers: Record<
  Exclude<Expected, 'anything' | 'definition'>,
  (word: string, plain: string, at: number) => boolean
> = {
  number: (_, plain) =>
    /\d|[一二三四五六七八九十百千万亿两]/.test(plain) || numberWords.has(plain) || amountWords.has(plain),
  date: (_, plain) => /^\d{1,4}s?$|[年月]|世纪/.test(plain) || calendarWords.has(plain),
  // The first word of a sentence is always capitalized.
  name: (word, _, at) => at > 0 && /^\p{Lu}/u.test(word),
}

/** Within this many words of a matched term, distance does not matter. */
const near = 3

/** 0.5 to 1 if a sentence has the kind of answer that is asked for, more if it is near a matched term; otherwise 0. */
export function evidenceIn(text: string, question: Question, match: MatchWord): number {
  const { expected } = question
  if (expected === 'anything') return 0
  if (expected === 'definition') return defines(text, match) ? 1 : 0
  const isAnswer = answers[expected]
  let position = 0
  let lastMatch = Number.NEGATIVE_INFINITY
  let lastAnswer = Number.NEGATIVE_INFINITY
  let distance = Number.POSITIVE_INFINITY
  eachWord(text, 0, text.length, (word, at) => {
    position++
    if (match(word)) lastMatch = position
    else {
      const plain = folded(word)
      if (question.words.has(plain) || !isAnswer(word, plain, at)) return
      lastAnswer = position
    }
    distance = Math.min(distance, Math.abs(lastAnswer - lastMatch))
  })
  if (lastAnswer < 0) return 0
  return 0.5 + 0.5 / (1 + Math.max(0, distance - near) / 8)
}

const verb = /^(?:is|are|was|were|means|refers|denotes|describes|ist|sind|war|bedeutet|bezeichnet)$/

/** "Parley is a platform": after an article the sentence starts with the words of the question, then a verb. */
function defines(text: string, match: MatchWord): boolean {
  const words: string[] = []
  eachWord(text, 0, Math.min(text.length, 120), (word) => words.push(word))
  const subject = words.findIndex((word) => !articles.has(folded(word)))
  const after = words.findIndex((word, at) => at >= subject && !match(word))
  return after > subject && verb.test(folded(words[after] ?? ''))
}

const articles = words('a an the der die das ein eine')
