/** The same rule as the service's: `{{name}}`, with or without spaces. */
const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

export const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map((match) => match[1] ?? '')),
]

export interface Piece {
  text: string
  /** The name of the variable, where it is one. */
  name: string | null
}

/** A template cut at its placeholders. */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = []
  let position = 0
  for (const match of template.matchAll(placeholder)) {
    pieces.push({ text: template.slice(position, match.index), name: null })
    pieces.push({ text: match[0], name: match[1] ?? '' })
    position = match.index + match[0].length
  }
  pieces.push({ text: template.slice(position), name: null })
  return pieces.filter(({ text }) => text !== '')
}
