const maxDepth = 8
const maxLength = 1024 * 1024

/** A JSON value as lines of `key: value` that can be quoted to people. */
export function jsonLines(value: unknown): string {
  const lines: string[] = []
  let length = 0
  const write = (line: string) => {
    length += line.length + 1
    if (length <= maxLength) lines.push(line)
  }
  writeLines(value, '', 0, write)
  return lines.join('\n')
}

function writeLines(value: unknown, path: string, depth: number, write: (line: string) => void): void {
  const line = onOneLine(value)
  if (line !== null) {
    if (line !== '') write(path === '' ? line : `${path}: ${line}`)
    return
  }
  if (depth === maxDepth) {
    write(`${path}: …`)
    return
  }
  for (const [key, each] of Object.entries(value as object)) {
    // The name of the list says more to a reader than the index.
    const name = Array.isArray(value) ? path : path === '' ? key : `${path}.${key}`
    const row = Array.isArray(value) ? asRow(each) : null
    writeLines(row ?? each, name, depth + 1, write)
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
const written = (value: unknown): string => (value === null ? '' : String(value))

/** A scalar or a list of scalars on one line, or null for anything else. */
function onOneLine(value: unknown): string | null {
  if (isScalar(value)) return written(value)
  return Array.isArray(value) && value.every(isScalar) ? value.map(written).join(', ') : null
}

/** A flat object in a list is a row: its fields stay on one line. */
function asRow(value: unknown): string | null {
  if (isScalar(value) || Array.isArray(value)) return null
  const cells: string[] = []
  for (const [key, each] of Object.entries(value as object)) {
    const cell = onOneLine(each)
    if (cell === null) return null
    if (cell !== '') cells.push(`${key}: ${cell}`)
  }
  return cells.join(', ')
}
