/** The arguments of a call. Read them with `argumentNamed`, which ignores the prototype. */
export type Arguments = Record<string, unknown>

/** An argument that is not valid at its place in a template. */
export class ArgumentError extends Error {
  readonly argument: string

  constructor(argument: string, message: string) {
    super(`${argument}: ${message}`)
    this.argument = argument
  }
}

const pattern = /\{([A-Za-z0-9_.-]{1,100})(?::(csv|ssv|pipes|json))?\}/g
const separators = { csv: ',', ssv: ' ', pipes: '|' } as const

interface Placeholder {
  name: string
  form: keyof typeof separators | 'json' | undefined
}

export const namesIn = (template: string): string[] =>
  [...template.matchAll(pattern)].map((match) => match[1] as string)

/** A template without its placeholders. */
export const withoutPlaceholders = (template: string): string => template.replace(pattern, '')

/** The placeholder, if the template is nothing else. */
export function solePlaceholder(template: string): Placeholder | null {
  const [match, another] = [...template.matchAll(pattern)]
  if (!match || another || match[0] !== template) return null
  return { name: match[1] as string, form: match[2] as Placeholder['form'] }
}

export const argumentNamed = (args: Arguments, name: string): unknown =>
  Object.hasOwn(args, name) ? args[name] : undefined

export const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

/** A value as text: lists are joined, objects are JSON. */
export function asText(name: string, value: unknown, form: Placeholder['form'] = undefined): string {
  if (form === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((each) => asText(name, each)).join(separators[form ?? 'csv'])
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value).toWellFormed()
}

/** Fills a template. Returns undefined if a value is missing. */
export function fill(
  template: string,
  args: Arguments,
  encode: (text: string, name: string) => string,
): string | undefined {
  let missing = false
  const text = template.replace(pattern, (_, name: string, form: Placeholder['form']) => {
    const value = argumentNamed(args, name)
    if (isMissing(value)) missing = true
    return isMissing(value) ? '' : encode(asText(name, value, form), name)
  })
  return missing ? undefined : text
}
