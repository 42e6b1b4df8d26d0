export const commonHeaders = ['from', 'to', 'subject', 'date', 'mime-version', 'content-type']

/** Exports may begin with a few other lines, such as the separator of a mailbox. */
const maxOtherLines = 10
const minHeadersAfterOthers = 2

/** The line with which the headers of a mail begin, or -1. */
export function mailStart(head: string): number {
  const lines = head.replace(/^\ufeff/, '').split(/\r?\n/)
  if (headerNames(lines).size > 0) return 0
  for (let at = 1; at <= Math.min(maxOtherLines, lines.length - 1); at++) {
    const names = headerNames(lines.slice(at))
    if (commonHeaders.filter((name) => names.has(name)).length >= minHeadersAfterOthers) return at
  }
  return -1
}

/** The names of the headers with which lines begin, in lower case. */
export function headerNames(lines: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const line of lines) {
    if (/^[ \t]+\S/.test(line) && names.size > 0) continue
    const header = /^([!-9;-~]+):/.exec(line)
    if (!header?.[1]) break
    names.add(header[1].toLowerCase())
  }
  return names
}
