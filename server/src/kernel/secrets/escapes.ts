/** Escapes of JSON and source code (`\/`, `\u0026`, `\x26`), URLs (`%26`, `%C3%A9`) and HTML (`&amp;`, `&#38;`, `&#x26;`). */
const escapes =
  /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([\\/"'bfnrt])|(%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})|&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos));/gi

const letters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

type Part = string | undefined

function decode(whole: string, ...[unit, byte, letter, percent, decimal, hex, name]: Part[]): string {
  if (percent !== undefined) return percent.length === 3 ? fromHex(percent.slice(1)) : fromUrl(percent)
  if (letter !== undefined) return letters[letter.toLowerCase()] ?? letter
  if (unit !== undefined || byte !== undefined) return fromHex((unit ?? byte) as string)
  if (name !== undefined) return names[name.toLowerCase()] ?? whole
  return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal))
}

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

function fromUrl(bytes: string): string {
  try {
    return decodeURIComponent(bytes)
  } catch {
    return bytes
  }
}

/** Decodes the escapes of a text, once. */
export const unescaped = (text: string): string => (/[\\%&]/.test(text) ? text.replace(escapes, decode) : text)

export type Range = [from: number, to: number]

/** Maps ranges of the unescaped text to the text itself. They must be sorted and must not overlap. */
export function mapToEscaped(text: string, ranges: Range[]): Range[] {
  const matches = text.matchAll(escapes)
  let next = matches.next()
  /** How much longer the escaped text is up to here. */
  let excess = 0
  const findRange = (at: number): Range => {
    for (; !next.done; next = matches.next()) {
      const { index, 0: written } = next.value
      const { length } = decode(...(next.value as unknown as [string]))
      if (at < index - excess) break
      if (at < index - excess + length) return [index, index + written.length]
      excess += written.length - length
    }
    return [at + excess, at + excess + 1]
  }
  return ranges.map(([from, to]) => [findRange(from)[0], findRange(to - 1)[1]])
}
