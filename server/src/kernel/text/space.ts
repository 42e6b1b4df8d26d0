/** White space as `trim` understands it. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && /\s/.test(text[at] ?? ''))
}

/** The first position from `from` that holds no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

/** The end of the text before `from` without the white space at its end. */
export function skipSpaceBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text, at - 1)) at--
  return at
}
