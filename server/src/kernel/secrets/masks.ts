import { SecretSearch } from './search.ts'

/** Shorter secrets occur in too many ordinary words to be masked within a text. */
const minLength = 4
/** In field names an ordinary word is hardly ever an echoed secret. */
const minLengthInName = 8
/** A shorter number may be equal by chance. */
const minNumberLength = 8
/** JSON.stringify fails on deeper values too. */
const maxDepth = 1000

/** Masks as plain data, to be sent to a thread. */
export interface MasksData {
  mask: string
  forms: [form: string, lead: number][]
  short: string[]
  numbers: number[]
}

/** Masks secrets in everything that is shown or sent to a model, in every encoding and escaping. */
export class Masks {
  readonly #mask: string
  readonly #forms = new Map<string, number>()
  /** Too short to search for: masked only if they are the whole text. */
  readonly #short = new Set<string>()
  readonly #numbers = new Set<number>()
  #search: SecretSearch | undefined
  #searchInNames: SecretSearch | undefined

  constructor(mask = '••••') {
    this.#mask = mask
  }

  static from({ mask, forms, short, numbers }: MasksData): Masks {
    const masks = new Masks(mask)
    for (const [form, lead] of forms) masks.#forms.set(form, lead)
    for (const secret of short) masks.#short.add(secret)
    for (const number of numbers) masks.#numbers.add(number)
    return masks
  }

  data(): MasksData {
    return { mask: this.#mask, forms: [...this.#forms], short: [...this.#short], numbers: [...this.#numbers] }
  }

  add(...secrets: (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret === undefined || secret === '') continue
      if (secret.length < minLength) this.#short.add(secret)
      else for (const form of encodedForms(secret)) this.#forms.set(form, 0)
      if (secret.length >= minNumberLength && /^\d+$/.test(secret)) this.#numbers.add(Number(secret))
    }
    this.#resetSearch()
  }

  /** Also masks a secret that is too short to search for where it follows one of these prefixes. */
  addAfter(prefixes: string[], secret: string): void {
    if (secret.length < minLength) for (const prefix of prefixes) this.#forms.set(`${prefix}${secret}`, prefix.length)
    this.#resetSearch()
  }

  addAll(other: Masks): void {
    for (const [form, lead] of other.#forms) this.#forms.set(form, lead)
    for (const secret of other.#short) this.#short.add(secret)
    for (const number of other.#numbers) this.#numbers.add(number)
    this.#resetSearch()
  }

  hide(text: string): string {
    if (this.#short.size > 0 && this.#short.has(text.trim())) return this.#mask
    this.#search ??= new SecretSearch(this.#forms, minLength)
    return this.#without(text, this.#search)
  }

  /** Masks all texts in a JSON value, so that the result is valid JSON whatever the secret is. */
  hideIn(value: unknown, field = '', depth = 0): unknown {
    if (typeof value === 'string') return isTypeName(field, value) ? value : this.hide(value)
    if (typeof value === 'number') return this.#numbers.has(value) ? this.#mask : value
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) throw new RangeError('The JSON is nested too deeply.')
    if (Array.isArray(value)) return value.map((each) => this.hideIn(each, field, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#hideInName(name), this.hideIn(each, name, depth + 1)]),
    )
  }

  /** Headers that carry credentials are masked whatever their value. */
  hideHeaders(headers: Iterable<[string, string]>, credentials: readonly string[] = []): Record<string, string> {
    const entries = [...headers].map(([name, value]): [string, string] => [
      name,
      secretHeaders.has(name) || credentials.includes(name) ? this.#mask : this.hide(value),
    ])
    return Object.fromEntries(entries)
  }

  #hideInName(name: string): string {
    this.#searchInNames ??= new SecretSearch(
      new Map([...this.#forms].filter(([form]) => form.length >= minLengthInName)),
      minLengthInName,
    )
    return this.#without(name, this.#searchInNames)
  }

  #without(text: string, search: SecretSearch): string {
    let maskedText = ''
    let at = 0
    for (const [from, to] of search.rangesIn(text)) {
      maskedText += text.slice(at, from) + this.#mask
      at = to
    }
    return at === 0 ? text : maskedText + text.slice(at)
  }

  #resetSearch(): void {
    this.#search = undefined
    this.#searchInNames = undefined
  }
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])

/** Type names of JSON Schema and MCP. Masking them would make a document unreadable. */
const typeNames = new Set(
  'object array string number integer boolean null text image audio resource resource_link'.split(' '),
)
const isTypeName = (field: string, value: string): boolean => field === 'type' && typeNames.has(value)

/** Form encoding writes a space as `+`, which decoding escapes does not reverse. */
const encodedForms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice(2),
]
