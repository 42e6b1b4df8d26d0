import { folded } from './words.ts'

const english =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const german =
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'

/** Folded English and German number words with their digits. */
export const numberWords: ReadonlyMap<string, string> = new Map(
  [english, german].flatMap((list) =>
    list.split(' ').map((word, number): [string, string] => [folded(word), String(number)]),
  ),
)
