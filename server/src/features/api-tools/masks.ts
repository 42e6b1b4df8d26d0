const shown = '••••'
const shortest = 4

/** Takes secrets out of whatever is shown or told, in each form in which they travel. */
export class Masks {
  readonly #texts = new Set<string>()

  add(...secrets: (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret === undefined || secret.length < shortest) continue
      const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
      for (const form of [...forms, new URLSearchParams({ a: secret }).toString().slice(2)]) this.#texts.add(form)
    }
  }

  addAll(other: Masks): void {
    for (const text of other.#texts) this.#texts.add(text)
  }

  hide(text: string): string {
    let safe = text
    // The longest first, because one secret may be part of another.
    for (const secret of [...this.#texts].sort((one, other) => other.length - one.length)) {
      safe = safe.replaceAll(secret, shown)
    }
    return safe
  }

  /** Those that carry credentials are hidden whatever they hold. */
  hideHeaders(headers: Iterable<[string, string]>, credentials: readonly string[] = []): Record<string, string> {
    const entries = [...headers].map(([name, value]): [string, string] => [
      name,
      secretHeaders.has(name) || credentials.includes(name) ? shown : this.hide(value),
    ])
    return Object.fromEntries(entries)
  }
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])
