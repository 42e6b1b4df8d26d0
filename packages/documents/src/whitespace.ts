const wideSpaces = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])

/** White space as `trim` understands it. */
export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0xa0) return code === 32 || (code >= 9 && code <= 13)
  return (code >= 0x2000 && code <= 0x200a) || wideSpaces.has(code)
}

/** The first position from `from` without white space. */
export function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

/** The end of the text before `from`, without trailing white space. */
export function skipSpaceBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text, at - 1)) at--
  return at
}
