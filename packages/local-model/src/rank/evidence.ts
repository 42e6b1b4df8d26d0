import { numberWords } from '../text/numbers.ts'
import { eachWord, folded } from '../text/words.ts'
import type { Expected } from './expected.ts'
import type { MatchWord } from './match-words.ts'
import type { Question } from './question.ts'

const words = (list: string): Set<string> => new Set(list.split(' '))

const calendarWords = words(
  'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday century decade januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag jahrhundert jahrhunderts jahrzehnt days weeks months years hours minutes day month year noon midnight',
)
/** "When" also asks for a condition. */
const conditionWords = words('if after once wenn sobald nachdem falls')
const amountWords = words(
  'hundred thousand million millions billion billions trillion dozen half third quarter percent twice once daily weekly monthly yearly annually hourly hundert tausend million millionen milliarde milliarden halfte drittel viertel prozent dutzend',
)
const colours = words(
  'red blue green yellow black white grey gray brown orange purple violet pink silver gold golden rot blau grun gelb schwarz weiss grau braun lila rosa silbern golden',
)
/** "In the basement": a place needs no name. */
const placeWords = words(
  'in at on near under inside behind beside above below from to into within between via im am auf bei unter neben hinter zwischen aus nach zum zur',
)
/** Offices and firms are capitalized, but are no names of people. */
const titles = words(
  'chief executive financial operating officer president vice senior director chairman treasurer secretary manager head board company corporation inc ltd llc committee department office title principal report annual exhibit form section note item table figure january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday',
)

type IsAnswer = (word: string, plain: string, at: number) => boolean

/** A year is no quantity, and neither is an identifier such as E20. */
const isNumber: IsAnswer = (_, plain) =>
  /^(?!(?:19|20)\d\d$)\d|[一二三四五六七八九十百千万亿两]/.test(plain) ||
  numberWords.has(plain) ||
  amountWords.has(plain)
/** The first word of a sentence is always capitalized. */
const isCapitalized: IsAnswer = (word, _, at) => at > 0 && /^\p{Lu}/u.test(word)

const answers: Partial<Record<Expected, IsAnswer>> = {
  number: isNumber,
  money: isNumber,
  date: (_, plain) =>
    /^(?:\d{1,2}|(?:1\d|20)\d\ds?)$|[年月]|世纪/.test(plain) ||
    calendarWords.has(plain) ||
    conditionWords.has(plain) ||
    numberWords.has(plain),
  colour: (_, plain) => colours.has(plain) || /[红蓝绿黄黑白灰]/.test(plain),
  name: isCapitalized,
  place: (word, plain, at) => (isCapitalized(word, plain, at) && !titles.has(plain)) || placeWords.has(plain),
  person: (word, plain) => /^\p{Lu}\p{L}*\p{Ll}/u.test(word) && !titles.has(plain),
}

/** Within this many words of a matched term, distance does not matter. */
const near = 3

const currency = /[$€£¥₩]|\b(?:USD|EUR|GBP|CHF|JPY|dollars?|euros?|pounds?|cents?|francs?|franken)\b|[元円원]/i
const moneyColumn = new RegExp(`${currency.source}|price|cost|salary|fee|rent|preis|kosten|gehalt`, 'i')
/** "Invoice no. HX-77", "the order number of the lamp is HX-77", or a field such as "Hotline: 0800 470". */
const numbered = /\b(?:number|no|nr|id)\b[.:#]*[^.!?\n]*\d|^[^:\n]{2,40}: [^\n]*\d/im
const code = /`[^`]+`|^\s*(?:\$ |npx |npm |docker |git )/
const addressesReader =
  /\b(?:you|your|must|should|need to|click|press|choose|select|set|run|use|open|start)\b|`[^`]+`|\bSie\b|\bman\b/i

/** 0.5 to 1 if a sentence has the kind of answer that is asked for, more if it is near a matched term; otherwise 0. */
export function evidenceIn(text: string, question: Question, match: MatchWord, columns = ''): number {
  const { expected } = question
  if (expected === 'definition') return defines(text, match) ? 1 : 0
  if (expected === 'command') return code.test(text) ? 1 : 0
  if (expected === 'steps') return addressesReader.test(text) ? 1 : 0
  if (expected === 'identifier') return numbered.test(text) || (/number|no\./i.test(columns) && /\d/.test(text)) ? 1 : 0
  if (expected === 'list') return isList(text) ? 1 : 0
  if (expected === 'money' && !currency.test(text) && !moneyColumn.test(columns)) return 0
  const isAnswer = answers[expected]
  return isAnswer ? nearness(counted(text, question), question, match, isAnswer) : 0
}

const measure =
  /\d[\d.,]*\s?(%|(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|percent|dollars?|euros?|cents?|kg|km|cm|mm)\b)/gi

/** "Books 28 days" does not say how many books there are. */
const counted = (text: string, { text: asked, words }: Question): string =>
  /\bhow many\b/i.test(asked)
    ? text.replace(measure, (found, unit: string) => (words.has(folded(unit)) ? found : ` ${unit}`))
    : text

function nearness(text: string, question: Question, match: MatchWord, isAnswer: IsAnswer): number {
  let position = 0
  let lastMatch = Number.NEGATIVE_INFINITY
  let lastAnswer = Number.NEGATIVE_INFINITY
  let distance = Number.POSITIVE_INFINITY
  eachWord(text, 0, text.length, (word, at) => {
    position++
    const plain = folded(word)
    if (!question.words.has(plain) && isAnswer(word, plain, at)) lastAnswer = position
    else if (match(word)) lastMatch = position
    if (lastAnswer > 0 && lastMatch > 0) distance = Math.min(distance, Math.abs(lastAnswer - lastMatch))
  })
  if (lastAnswer < 0) return 0
  return 0.5 + 0.5 / (1 + Math.max(0, distance - near) / 8)
}

/** Several items of a list, or three parts of an enumeration. */
const isList = (text: string): boolean =>
  /\n[ \t]*(?:[-*+•]|\d{1,3}[.)]|\(\p{L}{1,4}\))\s/u.test(text) ||
  /[,;、][^,;、]+[,;、]? (?:and|or|und|oder) |[、;].+[、;]/.test(text)

const verb = /^(?:is|are|was|were|means|refers|denotes|describes|ist|sind|war|bedeutet|bezeichnet|heisst)$/
/** "A closed curve is called a knot": the name comes last. */
const names =
  /(?:\b(?:is|are) called|\bheißt|\bnennt man|\bwird als)(?: (?:an?|the|eine?|das|der|die))? ([\p{L}\d'’-]+(?: [\p{L}\d'’-]+)?)/giu
/** "It introduces Parley, a platform". */
const apposition = /([\p{L}\d'’-]+), (?:an?|the|eine?) /giu

/** "Parley is a platform": after an article the sentence starts with the words of the question, then a verb. */
function defines(text: string, match: MatchWord): boolean {
  const words: string[] = []
  eachWord(text, 0, Math.min(text.length, 120), (word) => words.push(word))
  const subject = words.findIndex((word) => !articles.has(folded(word)))
  const after = words.findIndex((word, at) => at >= subject && !match(word))
  if (after > subject && verb.test(folded(words[after] ?? ''))) return true
  const defined = [...text.slice(0, 600).matchAll(names), ...text.slice(0, 600).matchAll(apposition)]
  return defined.some(([, name = '']) => name.split(' ').every((word) => match(word)?.strength === 1))
}

const articles = words('a an the der die das ein eine')
