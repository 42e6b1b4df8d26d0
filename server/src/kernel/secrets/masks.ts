import { SecretSearch } from './search.ts'

/** Shorter ones are part of too many innocent words to be hidden in the middle of a text. */
const shortest = 4
/** Names of fields are part of a format, so that an ordinary word in them is hardly ever an echo. */
const shortestInName = 8
/** A shorter number may well be the same by chance. */
const shortestNumber = 8
/** Deeper JSON cannot be written again either. */
const deepest = 1000

/** Takes secrets out of whatever is shown or told, in each form in which they travel and however they are escaped. */
export class Masks {
  readonly #shown: string
  readonly #forms = new Map<string, number>()
  /** Too short to be looked for: hidden where they are all of a text. */
  readonly #short = new Set<string>()
  readonly #numbers = new Set<number>()
  #search: SecretSearch | undefined
  #searchInNames: SecretSearch | undefined

  constructor(shown = '••••') {
    this.#shown = shown
  }

  add(...secrets: (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret === undefined || secret === '') continue
      if (secret.length < shortest) this.#short.add(secret)
      else for (const form of formsOf(secret)) this.#forms.set(form, 0)
      if (secret.length >= shortestNumber && /^\d+$/.test(secret)) this.#numbers.add(Number(secret))
    }
    this.#forgetSearch()
  }

  /** A secret that may be too short to be looked for by itself is, where it stands behind one of these. */
  addBehind(leads: string[], secret: string): void {
    if (secret.length < shortest) for (const lead of leads) this.#forms.set(`${lead}${secret}`, lead.length)
    this.#forgetSearch()
  }

  addAll(other: Masks): void {
    for (const [form, lead] of other.#forms) this.#forms.set(form, lead)
    for (const secret of other.#short) this.#short.add(secret)
    for (const number of other.#numbers) this.#numbers.add(number)
    this.#forgetSearch()
  }

  hide(text: string): string {
    if (this.#short.size > 0 && this.#short.has(text.trim())) return this.#shown
    this.#search ??= new SecretSearch(this.#forms, shortest)
    return this.#without(text, this.#search)
  }

  /** The same for all texts in a value of JSON, so that it stays one whatever the secret is. */
  hideIn(value: unknown, field = '', depth = 0): unknown {
    if (typeof value === 'string') return isKind(field, value) ? value : this.hide(value)
    if (typeof value === 'number') return this.#numbers.has(value) ? this.#shown : value
    if (typeof value !== 'object' || value === null) return value
    if (depth > deepest) throw new RangeError('The JSON is nested too deeply.')
    if (Array.isArray(value)) return value.map((each) => this.hideIn(each, field, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#hideInName(name), this.hideIn(each, name, depth + 1)]),
    )
  }

  /** Those that carry credentials are hidden whatever they hold. */
  hideHeaders(headers: Iterable<[string, string]>, credentials: readonly string[] = []): Record<string, string> {
    const entries = [...headers].map(([name, value]): [string, string] => [
      name,
      secretHeaders.has(name) || credentials.includes(name) ? this.#shown : this.hide(value),
    ])
    return Object.fromEntries(entries)
  }

  #hideInName(name: string): string {
    this.#searchInNames ??= new SecretSearch(
      new Map([...this.#forms].filter(([form]) => form.length >= shortestInName)),
      shortestInName,
    )
    return this.#without(name, this.#searchInNames)
  }

  #without(text: string, search: SecretSearch): string {
    let safe = ''
    let at = 0
    for (const [from, to] of search.rangesIn(text)) {
      safe += text.slice(at, from) + this.#shown
      at = to
    }
    return at === 0 ? text : safe + text.slice(at)
  }

  #forgetSearch(): void {
    this.#search = undefined
    this.#searchInNames = undefined
  }
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])

/** Words of JSON Schema and of MCP, without which nothing can be read and which say nothing of a secret that is the same. */
const kinds = new Set(
  'object array string number integer boolean null text image audio resource resource_link'.split(' '),
)
const isKind = (field: string, value: string): boolean => field === 'type' && kinds.has(value)

/** Form encoding writes a space as `+`, which no escape tells from a plus; all else is read as an escape. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice(2),
]
