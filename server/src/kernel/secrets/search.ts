import { type Range, tracedBack, unescaped } from './escapes.ts'

/** Escapes within escapes: JSON in a string of JSON, with an address in it. */
const mostLevels = 3

/** What is looked for, with how many characters at its beginning are no secret. */
type Forms = ReadonlyMap<string, number>

/** Finds secrets in a text, and in what it says when its escapes are read. */
export class SecretSearch {
  /** What is looked for after reading escapes so many times. */
  readonly #levels: Forms[]
  readonly #shortest: number

  /** Forms that reading escapes makes shorter than this are not looked for. */
  constructor(forms: Forms, shortest: number) {
    this.#levels = [forms]
    for (let level = 1; level <= mostLevels; level++)
      this.#levels.push(withUnescaped(this.#levels.at(-1) as Forms, shortest))
    this.#shortest = Math.min(...[...(this.#levels.at(-1) as Forms).keys()].map(({ length }) => length))
  }

  /** In their order; none overlaps another. */
  rangesIn(text: string, level = 0): Range[] {
    if (text.length < this.#shortest) return []
    const here: Range[] = []
    for (const [form, lead] of this.#levels[level] as Forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
        here.push([at + lead, at + form.length])
    }
    const plain = level < mostLevels ? unescaped(text) : text
    const deeper = plain === text ? [] : this.rangesIn(plain, level + 1)
    return merged(deeper.length === 0 ? here : [...here, ...tracedBack(text, deeper)])
  }
}

/** A secret that looks as if it were escaped is unescaped together with the text. */
function withUnescaped(forms: Forms, shortest: number): Forms {
  const plain = [...forms.keys()].map(unescaped).filter((form) => form.length >= shortest && !forms.has(form))
  return new Map([...forms, ...plain.map((form) => [form, 0] as const)])
}

/** One secret may be part of another. */
function merged(ranges: Range[]): Range[] {
  if (ranges.length < 2) return ranges
  const apart: Range[] = []
  for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
    const last = apart.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else apart.push([from, to])
  }
  return apart
}
