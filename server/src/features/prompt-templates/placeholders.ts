const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** The names a template asks for, each once, in the order they appear. */
export const placeholdersIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map((match) => match[1] as string)),
]

/** Puts values where their names stand. A value is text: what looks like a placeholder in it stays as it is. */
export const fill = (template: string, values: Record<string, unknown>): string =>
  template.replace(placeholder, (_, name: string) => String(values[name]))
