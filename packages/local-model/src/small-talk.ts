export type SmallTalk = 'greeting' | 'thanks' | 'about-me' | null

/** Matches whole words, umlauts being letters like all others. */
const wholeWords = (alternatives: string, after = ''): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])${after}`, 'giu')

const greetings = wholeWords(
  'hi|hello|hey|hiya|howdy|greetings|there|good (?:morning|afternoon|evening|day|night)|bye|goodbye|hallo|moin|servus|grü(?:ß|ss) (?:gott|dich)|grüezi|guten? (?:tag|morgen|abend|nacht)|tschü(?:ß|ss)|auf wiedersehen|bonjour|hola|ciao|你好|您好|こんにちは|مرحبا|שלום',
)
const thanks = wholeWords('thank you|thanks?|thx|cheers|danke(?: ?schön)?|vielen dank|merci|gracias|谢谢|ありがとう')
/** What may stand beside a greeting without making a question of it. */
const pleasantries = wholeWords(
  "how are you(?: doing)?(?: today)?|how(?:'s| is) it going|what's up|wie geht(?:'?s| es dir| es ihnen)|so|very|much|a lot|all|everyone|everybody|team|dir|ihnen|sehr|für alles|for everything|ok(?:ay)?|alles klar|great|super|perfect|perfekt|test(?:ing)?|ping",
)
/** At the end of what is said: "What are you allowed to sell?" is a question like any other. */
const aboutMe = wholeWords(
  '(?:who|what) are you|what (?:can|do) you do|how (?:can you help(?: me)?|do you work)|are you (?:an? )?(?:ai|bot|human|robot|real|language model)|(?:wer|was) bist du|wer sind sie|was (?:kannst du|können sie)(?: alles)?(?: tun| machen)?|wie funktionierst du|bist du (?:eine? )?(?:ki|bot|mensch|roboter)',
  '[\\s?!.]*$',
)
const longestSmallTalk = 200

/** Words that are said for politeness, or about the one who answers: there is nothing to look up. */
export function smallTalk(text: string): SmallTalk {
  if (text.length > longestSmallTalk) return null
  const plain = text.replace(/[’‘]/g, "'")
  if (plain.search(aboutMe) !== -1 || /^\s*(?:help|hilfe)[\s!?.]*$/i.test(plain)) return 'about-me'
  const rest = plain.replace(pleasantries, ' ').replace(greetings, ' ').replace(thanks, ' ')
  if (/[\p{L}\p{N}]/u.test(rest)) return null
  return plain.search(thanks) === -1 ? 'greeting' : 'thanks'
}
