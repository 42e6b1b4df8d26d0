import { eachWord } from './words.ts'

export type Language = 'english' | 'german' | 'other'

const words = (list: string): Set<string> => new Set(list.split(' '))

const english = words(
  'a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing done during each few for from further get give given had has have having he her here hers him his how however i if in into is it its itself just many may me might more most much must my no nor not of off on once one only or other our out over own please same shall she should so some such tell than that the their them then there these they this those through to too under until up upon us use used very was we were what when where whether which while who whom whose why will with within without would you your',
)
const german = words(
  'aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bitte bist da dabei damit dann das dass dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er etwas euch euer für gegen gibt hat hatte hatten habe haben hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes jedoch kann kannst kein keine keinem keinen keiner können könnte lassen man mehr mein meine mir mit nach nicht noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so sowie über um und uns unser unter viel viele vielen vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder wieviel wieviele wird wo woher wohin wurde wurden zu zum zur zwischen',
)
/** Greetings, because a message of them has no stop words. */
const germanGreetings = words('hallo guten morgen abend servus moin grüß danke dank hilfe tschüss tschüß')
/** Stop words that are also words or names in other languages. */
const ambiguous = words('am an in so was war die man bin also hat all on as me no us den dem des der da du um')

/** A cheap guess from stop words; `other` for text without any. */
export function detectLanguage(text: string): Language {
  let englishWords = 0
  let germanWords = 0
  eachWord(text, 0, Math.min(text.length, 2000), (word) => {
    const lower = word.toLowerCase()
    const weight = ambiguous.has(lower) ? 0.3 : 1
    if (english.has(lower)) englishWords += weight
    if (german.has(lower)) germanWords += weight
    if (/[äöüß]/.test(lower) || germanGreetings.has(lower)) germanWords += 0.5
  })
  if (germanWords > englishWords) return 'german'
  return englishWords > 0.5 ? 'english' : 'other'
}

/** Whether a word, as written, is a stop word. */
export function isStopWord(word: string, language: Language): boolean {
  const lower = word.toLowerCase()
  if (language === 'english') return english.has(lower) || lower === 's' || lower === 't'
  if (language === 'german') return german.has(lower)
  // In other languages, articles and prepositions are short and lower case.
  return word === lower && /^[a-zß-ÿ]{1,3}$/.test(lower)
}
