/** The kind of answer that is asked for. */
export type Expected =
  | 'definition'
  | 'money'
  | 'number'
  | 'identifier'
  | 'date'
  | 'colour'
  | 'person'
  | 'place'
  | 'name'
  | 'list'
  | 'command'
  | 'steps'
  | 'yes-no'
  | 'anything'

const quantity =
  'number|amount|percent|percentage|share|age|fraction|proportion|rate|size|length|height|weight|altitude|width|depth|speed|distance|accuracy|score|temperature|duration|total|sum|count|margin|assets'
const business = 'revenue|sales|profit|income|budget'
const money = 'price|cost|costs|salary|fee|fees|rent|wage|deposit'
/** The noun may follow adjectives: "What is the net revenue". "What happens when a budget …" asks for no quantity. */
const asksFor = (nouns: string) =>
  new RegExp(
    `^\\s*(?:(?:at|in|to|by|of) )?(?:what|which)(?! happen)(?: (?:is|are|was|were))?(?: [\\p{L}\\d'’-]+){0,4}? (?:${nouns})\\b`,
    'u',
  )

const cues: [Expected, RegExp[]][] = [
  [
    'command',
    [/\b(?:which|what) commands?\b|\bon the command line\b|\bwelche[mnrs]? (?:befehl|kommando)/, /哪个命令|什么命令/],
  ],
  [
    'definition',
    [
      /^\s*(?:what|who) (?:is|are) (?:an? |the )?[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)?\s*\??\s*$/u,
      /^\s*(?:was|wer) (?:ist|sind) (?:eine? |der |die |das )?[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)?\s*\??\s*$/u,
    ],
  ],
  [
    'money',
    [
      /\bhow much\b.*\b(?:cost|pay|earn|charge|spend|price|worth)s?\b/,
      asksFor(money),
      /\bwie ?viel\b.*\b(?:kosten|kostet|zahlt|verdient)\b|\bwie teuer\b|\bwas kostet\b/,
      /多少钱|いくら|얼마인가요|cu[aá]nto cuesta|combien co[uû]te/,
    ],
  ],
  [
    'identifier',
    [
      /^\s*(?:what|which)(?: (?:is|was))?(?: [\p{L}\d'’-]+){1,4}(?<! (?:the|total|average|maximum|minimum|largest|highest)) number\b/u,
    ],
  ],
  [
    'number',
    [
      /\bhow (?:many|much|long|old|far|tall|large|big|high|deep|wide|often|fast|heavy)\b/,
      asksFor(quantity),
      asksFor(business),
      /\bwie ?(?:viele?n?|lange?|alt|weit|hoch|groß|oft|schnell|schwer)\b|\bprozent/,
      /多少|几个|几次|幾|いくつ|何人|何歳|몇/,
    ],
  ],
  [
    'date',
    [
      /^\s*(?:(?:since|until|till|by|from) )?when\b|\b(?:what|which) (?:year|date|month|day|decade|century|time|era|period)\b/,
      /^\s*(?:(?:seit|bis|ab|von) )?wann\b|\bwelche[mnrs]? (?:jahr|datum|monat|tag|jahrzehnt|jahrhundert|zeit)/,
      /什么时候|何时|哪一?年|哪个月|几月|哪天|いつ|언제/,
    ],
  ],
  ['colour', [/\b(?:what|which) colou?rs?\b|\bwelche farben?\b|^\s*welcher farbe\b/, /什么颜色/]],
  ['person', [/^\s*who(?:m|se)?\b|\bby whom\b/, /^\s*(?:wer|wem|wen|wessen)\b/, /谁|誰|누구/]],
  [
    'place',
    [
      /^\s*where\b|\b(?:what|which) (?:city|country|state|place|town|region|continent|river)\b/,
      /^\s*(?:wo|woher|wohin)\b|\bwelche[mnrs]? (?:stadt|land|staat|ort|region|kontinent|fluss)/,
      /哪里|どこ|어디/,
    ],
  ],
  ['name', [/\b(?:what|which) (?:company|person|team|university)\b|\bwelche[mnrs]? (?:firma|person)/]],
  ['steps', [/^\s*how (?:to\b|(?:do|can|should|must|may) (?:i|we|you|one)\b)/, /^\s*wie (?:kann|muss|soll|mache?)\b/]],
  [
    'list',
    [
      /^\s*(?:which|what) (?:\p{L}+ )?\p{L}{3,}(?<!s)s\b(?! (?:is|was|does|did|has)\b)/u,
      /^\s*(?:what|which|who) (?:are|were) the\b/,
    ],
  ],
  ['yes-no', [/^\s*(?:is|are|was|were|do|does|did|can|may|must|should|will|has|have)\b/]],
]

export function expectedBy(text: string): Expected {
  const lower = text.toLowerCase()
  return cues.find(([, patterns]) => patterns.some((pattern) => pattern.test(lower)))?.[0] ?? 'anything'
}

const attributes = [
  /^\s*(?:what|who|which) (?:is|are|was|were) the ([\p{L}\d' -]{2,60}?) (?:of|for|at|in) /iu,
  /^\s*(?:was|wer|wie) (?:ist|sind|war|lautet) (?:der|die|das) ([\p{L}\d -]{2,60}?) (?:von|des|der|für|im|in) /iu,
  /^\s*(?:who|which|what|wer|welche[rsnm]?) (?!is|are|was|were|does|do|did|can|has|have|ist|sind|war|hat)([\p{L}-]{3,})\b/iu,
]

/**
 * Finds the attribute that a question names: "IBAN" in "What is the IBAN of the bank?" and "founded" in "Who founded
 * the bank?". Undefined if it names none.
 */
export const attributeAsked = (text: string): string | undefined =>
  attributes.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined)
