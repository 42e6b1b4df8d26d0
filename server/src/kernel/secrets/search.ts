import { mapToEscaped, type Range, unescaped } from './escapes.ts'

/** Escapes can be nested: a URL in JSON in a JSON string. */
const maxLevels = 3

/** Texts to search for, each with the length of its prefix that is not secret. */
type Forms = ReadonlyMap<string, number>

/** Finds secrets in a text, also where they are escaped. */
export class SecretSearch {
  /** The forms to search for after decoding escapes so many times. */
  readonly #levels: Forms[]
  readonly #minLength: number

  /** Forms that become shorter than `minLength` by decoding are ignored. */
  constructor(forms: Forms, minLength: number) {
    this.#levels = [forms]
    for (let level = 1; level <= maxLevels; level++)
      this.#levels.push(withUnescaped(this.#levels.at(-1) as Forms, minLength))
    this.#minLength = Math.min(...[...(this.#levels.at(-1) as Forms).keys()].map(({ length }) => length))
  }

  /** Sorted and without overlaps. */
  rangesIn(text: string, level = 0): Range[] {
    if (text.length < this.#minLength) return []
    const here: Range[] = []
    for (const [form, lead] of this.#levels[level] as Forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
        here.push([at + lead, at + form.length])
    }
    const plain = level < maxLevels ? unescaped(text) : text
    const deeper = plain === text ? [] : this.rangesIn(plain, level + 1)
    return merged(deeper.length === 0 ? here : [...here, ...mapToEscaped(text, deeper)])
  }
}

/** A secret that contains escapes is decoded together with the text. */
function withUnescaped(forms: Forms, minLength: number): Forms {
  const plain = [...forms.keys()].map(unescaped).filter((form) => form.length >= minLength && !forms.has(form))
  return new Map([...forms, ...plain.map((form) => [form, 0] as const)])
}

/** Merges overlapping ranges: one secret may contain another. */
function merged(ranges: Range[]): Range[] {
  if (ranges.length < 2) return ranges
  const separate: Range[] = []
  for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
    const last = separate.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else separate.push([from, to])
  }
  return separate
}
