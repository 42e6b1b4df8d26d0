/** A token of SQL with its position. `value` is the name without quotes, or the word in lower case. */
export interface Token {
  kind: 'word' | 'name' | 'string' | 'number' | 'symbol'
  value: string
  start: number
  end: number
  /** How many parentheses are open around it. A parenthesis has the depth outside of it. */
  depth: number
}

const pattern =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>[xX]?'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^[\]]*\])|(?<number>(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?\.?)|(?<word>[\p{L}_$@:#\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|(?<symbol>[\s\S])/gu

/** Splits a statement into tokens, without comments. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const match of sql.matchAll(pattern)) {
    const { string, name, number, word, symbol } = match.groups ?? {}
    const [text] = match
    const end = match.index + text.length
    if (symbol === ')') depth = Math.max(0, depth - 1)
    const token = { start: match.index, end, depth }
    if (string !== undefined) tokens.push({ ...token, kind: 'string', value: text })
    else if (name !== undefined) tokens.push({ ...token, kind: 'name', value: unquote(name) })
    else if (number !== undefined) tokens.push({ ...token, kind: 'number', value: text })
    else if (word !== undefined) tokens.push({ ...token, kind: 'word', value: word.toLowerCase() })
    else if (symbol !== undefined) tokens.push({ ...token, kind: 'symbol', value: symbol })
    if (symbol === '(') depth++
  }
  return tokens
}

function unquote(name: string): string {
  const inner = name.slice(1, -1)
  if (name.startsWith('"')) return inner.replaceAll('""', '"')
  return name.startsWith('`') ? inner.replaceAll('``', '`') : inner
}

export const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'name'
