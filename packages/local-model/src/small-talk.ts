export type SmallTalk = 'greeting' | 'thanks' | 'about-me' | null

/** Matches whole words. `\b` would take umlauts for word ends. */
const wholeWords = (alternatives: string, after = ''): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])${after}`, 'giu')

const greetings = wholeWords(
  'hi|hello|hey|hiya|howdy|greetings|there|good (?:morning|afternoon|evening|day|night)|bye|goodbye|hallo|moin|servus|grü(?:ß|ss) (?:gott|dich)|grüezi|guten? (?:tag|morgen|abend|nacht)|tschü(?:ß|ss)|auf wiedersehen|bonjour|hola|ciao|你好|您好|こんにちは|مرحبا|שלום',
)
const thanks = wholeWords('thank you|thanks?|thx|cheers|danke(?: ?schön)?|vielen dank|merci|gracias|谢谢|ありがとう')
/** Allowed beside a greeting: they do not make it a question. */
const pleasantries = wholeWords(
  "how are you(?: doing)?(?: today)?|how(?:'s| is) it going|what's up|wie geht(?:'?s| es dir| es ihnen)|so|very|much|a lot|all|everyone|everybody|team|dir|ihnen|sehr|für alles|for everything|ok(?:ay)?|alles klar|great|super|perfect|perfekt|test(?:ing)?|ping",
)
/** Only at the end of a message: "What are you allowed to sell?" is an ordinary question. */
const aboutMe = wholeWords(
  '(?:who|what) are you|what (?:can|do) you do|how (?:can you help(?: me)?|do you work)|are you (?:an? )?(?:ai|bot|human|robot|real|language model)|(?:wer|was) bist du|wer sind sie|was (?:kannst du|können sie)(?: alles)?(?: tun| machen)?|wie funktionierst du|bist du (?:eine? )?(?:ki|bot|mensch|roboter)',
  '[\\s?!.]*$',
)
const maxLength = 200

/** Whether a message is a greeting, thanks or a question about the assistant: there is nothing to look up. */
export function smallTalk(text: string): SmallTalk {
  if (text.length > maxLength) return null
  const plain = text.replace(/[’‘]/g, "'")
  if (plain.search(aboutMe) !== -1 || /^\s*(?:help|hilfe)[\s!?.]*$/i.test(plain)) return 'about-me'
  const rest = plain.replace(pleasantries, ' ').replace(greetings, ' ').replace(thanks, ' ')
  if (/[\p{L}\p{N}]/u.test(rest)) return null
  return plain.search(thanks) === -1 ? 'greeting' : 'thanks'
}
