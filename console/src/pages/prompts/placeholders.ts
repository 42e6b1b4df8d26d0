/** Same syntax as on the server: `{{name}}`, with or without spaces. */
const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

export const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map((match) => match[1] ?? '')),
]

export interface Segment {
  text: string
  /** The variable name, or null for plain text. */
  name: string | null
}

/** Splits a template at its placeholders. */
export function splitTemplate(template: string): Segment[] {
  const segments: Segment[] = []
  let position = 0
  for (const match of template.matchAll(placeholder)) {
    segments.push({ text: template.slice(position, match.index), name: null })
    segments.push({ text: match[0], name: match[1] ?? '' })
    position = match.index + match[0].length
  }
  segments.push({ text: template.slice(position), name: null })
  return segments.filter(({ text }) => text !== '')
}
