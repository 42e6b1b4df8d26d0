const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string): boolean => /^[\s|:-]+$/.test(line)
const cellsIn = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** Splits a text into plain text and the rows of tables. A single row is no table: it may be cut off, or mean something else. */
export function blocksOf(text: string): (string | string[][])[] {
  const blocks: (string | string[])[] = []
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    if (isRow(line)) {
      if (Array.isArray(last)) last.push(line)
      else blocks.push([line])
    } else if (typeof last === 'string') blocks[blocks.length - 1] = `${last}\n${line}`
    else blocks.push(line)
  }
  return blocks.map((block) =>
    typeof block === 'string'
      ? block
      : block.length < 2
        ? block.join('\n')
        : block.filter((line) => !isRule(line)).map(cellsIn),
  )
}
