/**
 * Whether a path matches a pattern: `*` stands for any characters within a folder, `**` for any across folders, `?` for one.
 * It takes time in proportion to both lengths, whatever the pattern.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = pattern.match(/\*\*\/?|./gsu) ?? []
  /** The parts of the pattern that may come next. Stars may match nothing, and `**` with a slash only whole folders. */
  const withSkipped = (states: Iterable<number>, isAtFolder: boolean): Set<number> => {
    const all = new Set(states)
    for (const at of all) {
      const part = parts[at]
      if (part === '*' || part === '**' || (part === '**/' && isAtFolder)) all.add(at + 1)
    }
    return all
  }
  let states = withSkipped([0], true)
  for (const sign of path) {
    const next = new Set<number>()
    for (const at of states) {
      const part = parts[at]
      if (part === '**' || part === '**/' || (part === '*' && sign !== '/')) next.add(at)
      if (part === sign || (part === '?' && sign !== '/')) next.add(at + 1)
    }
    states = withSkipped(next, sign === '/')
  }
  return states.has(parts.length)
}
