interface Part {
  kind: 'same' | 'removed' | 'added'
  text: string
}

const maxCells = 4_000_000

export const diffLines = (before: string, after: string): Part[] => diff(before.split('\n'), after.split('\n'))

/** Words, punctuation and spaces: a comma after a word does not change the word. */
const splitWords = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? ['']

export const diffWords = (before: string, after: string): Part[] => diff(splitWords(before), splitWords(after))

/** By longest common subsequence. */
function diff(old: string[], now: string[]): Part[] {
  if (old.length * now.length > maxCells) {
    return [
      ...old.map((text) => ({ kind: 'removed' as const, text })),
      ...now.map((text) => ({ kind: 'added' as const, text })),
    ]
  }
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: Part[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ kind: 'same', text: old[row++] ?? '' })
      column++
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push({ kind: 'removed', text: old[row++] ?? '' })
    else lines.push({ kind: 'added', text: now[column++] ?? '' })
  }
  return lines
}
