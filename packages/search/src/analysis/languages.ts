import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stem as porter } from 'porter2'

export interface Language {
  name: string
  stem(word: string): string
  /** Frequent words without a meaning of their own. They identify the language; queries omit them. */
  functionWords: readonly string[]
}

const language = (name: string, stem: (word: string) => string, words: string): Language => ({
  name,
  stem,
  functionWords: words.split(' '),
})

/** Rows store the position in this list: append only. */
export const languages: readonly Language[] = [
  language('unknown', (word) => word, ''),
  language(
    'english',
    porter,
    'a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its many may more no not of on or s she such t than that the their then there these they this to was we were what when where which who whose why will with would you your',
  ),
  language(
    'german',
    german,
    'aber als am an auch auf aus bei bis das dass dem den der des die durch ein eine einem einen einer eines er es für hat hatte haben ihr im in ist man mit nach nicht noch oder sich sie sind über um und unter viele vom von vor war waren wann warum was welche welchem welchen welcher welches wem wer werden wie wird wo wurde wurden zu zum zur',
  ),
  language(
    'french',
    french,
    'a au aux avec c ce ces cette comment d dans de des du elle en est et été il ils l la le les leur lui mais n ne nous on ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui s sa se ses son sont sur un une vous à était',
  ),
  language(
    'spanish',
    spanish,
    'a al como con cuál cuáles cuándo cuánto cuántos cómo de del desde donde dónde el ella en entre era es esta este esto fue fueron ha había han hasta la las lo los más no o para pero por porque que quien quién qué se ser sin sobre son su sus también un una y ya',
  ),
  language(
    'italian',
    italian,
    'a ai al alla alle anche che chi come con cosa cui da dal dalla degli dei del della delle di dove e era gli ha hanno i il in la le lo ma nel nella non o per perché più quale quali quando quanti quanto questo se si sono stata stato su sul sulla tra un una uno è',
  ),
  language(
    'portuguese',
    portuguese,
    'a ao aos as com como da das de do dos e ela ele em entre era foi foram há isso já mais mas na nas no nos não o onde os ou para pela pelo por porque qual quais quando quantos que quem se sem ser seu sua são também um uma à é',
  ),
  language(
    'dutch',
    dutch,
    'aan als bij dan dat de deze die dit door een en er geen had heeft hebben het hij hoe hoeveel in is kan maar meer met naar niet of om ook onder op over te tot uit van veel voor waar waarom waren was wat welk welke werd werden wie wordt worden zijn zij zich ze',
  ),
  language(
    'swedish',
    swedish,
    'alla att av de den det detta där efter eller en ett från för genom går ha hade han har hon hur i inte kan med men mot många mycket man något när och om på sedan sig sin som så till under upp ut vad var vara vem vid vilka vilken vilket är över',
  ),
  language(
    'danish',
    danish,
    'af alle at blev bliver da de den der deres det dette efter eller en er et for fra ham han har havde hun hvad hvem hvilken hvilket hvilke hvor hvordan hvorfor hvornår i ikke kan man mange med men mere mod når og også om op over på sig sin som til ud under var ved være',
  ),
  language(
    'norwegian',
    norwegian,
    'alle at av ble blir da de den der deres det dette eller en er et etter for fra han har hadde hun hva hvem hvilken hvilket hvilke hvor hvordan hvorfor i ikke kan man mange med men mer mot når og også om opp over på seg sin som til under ut var ved være',
  ),
  language(
    'finnish',
    finnish,
    'ei eivät että he hän ja jo joka jonka jos jossa jota kanssa koska kuin kuinka kuka kun ne niin noin oli olivat olla on ovat mikä miksi millainen missä mitä mukaan mutta myös se sekä sen sitä tai tämä vain voi',
  ),
  language(
    'russian',
    russian,
    'а без бы был была были было быть в во все где для до его ее если есть еще же за и из или их к как какая какие какой когда кто который ли между может на не ни но о об он она они от по под почему при с сколько со также то только у что чтобы это',
  ),
  language(
    'romanian',
    romanian,
    'a al ale au care ca câte când ce cel cine cu cum dar de despre din după este fi fost în între la le lor mai nu o pe pentru prin sau se sunt unde un unei unui și că către',
  ),
  language(
    'hungarian',
    hungarian,
    'a az azt egy ez ezt és de ha hány hogy hogyan hol is ki kik mely melyik mert mi miért mikor mint mit meg már még nem volt voltak vagy való után által között csak minden lesz',
  ),
  language(
    'turkish',
    turkish,
    'bir bu da daha de en gibi hangi her için ile ise kadar kaç kim kimdir mi mı ne neden nedir nerede ne nasıl olan olarak oldu olduğu olup sonra şu ve veya ya',
  ),
]

export const unknownLanguage = 0
const english = languages.findIndex(({ name }) => name === 'english')

/** How many passages are in which language. */
export type LanguageCounts = number[]

export function countLanguage(counts: LanguageCounts, language: number): void {
  while (counts.length <= language) counts.push(0)
  counts[language] = (counts[language] ?? 0) + 1
}

/** The language of most passages, or undefined if none is known. */
export function mostUsed(counts: LanguageCounts): number | undefined {
  const known = counts.map((count, language) => (language === unknownLanguage ? 0 : count))
  const highest = Math.max(0, ...known)
  return highest === 0 ? undefined : known.indexOf(highest)
}

/** A guess for text without function words, such as a catalogue: with only unaccented Latin letters it may be English. */
export const guessByLetters = (text: string): number =>
  /[a-z]/i.test(text) && !/(?![a-zA-Z])\p{L}/u.test(text) ? english : unknownLanguage

/** For each function word, one bit per language that has it. */
export const functionWords: ReadonlyMap<string, number> = (() => {
  const languageBits = new Map<string, number>()
  languages.forEach(({ functionWords: words }, number) => {
    for (const word of words) languageBits.set(word, (languageBits.get(word) ?? 0) | (1 << number))
  })
  return languageBits
})()
