import { buildHeader, documentText } from '../config/document.ts'
import { type Fields, kinds, type Section } from '../config/kinds.ts'
import { listSecrets } from '../config/secrets.ts'

/** The result of importing a file of another product. */
export interface Imported {
  resources: Record<Section, Fields[]>
  /** Settings that could not be carried over, each with advice. */
  notes: string[]
}

export const emptyImport = (): Imported => ({
  resources: Object.fromEntries(kinds.map(({ section }) => [section, [] as Fields[]])) as Record<Section, Fields[]>,
  notes: [],
})

/** Adds a resource, or finds the same one. Another one of that name gets a number. Returns its name. */
export function add({ resources }: Imported, section: Section, fields: Fields): string {
  const wanted = String(fields.name)
  const { name: _, ...rest } = fields
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 55)} ${n}`
    const known = resources[section].find((each) => each.name === name)
    if (known && JSON.stringify(known) !== JSON.stringify({ name, ...rest })) continue
    if (!known) resources[section].push({ name, ...rest })
    return name
  }
}

/** Writes the file for `parley apply`. */
export function importedText({ resources, notes }: Imported): string {
  const sections = kinds.flatMap(({ section }) =>
    resources[section].length > 0 ? [[section, resources[section]] as const] : [],
  )
  const variables = kinds.flatMap((kind) =>
    resources[kind.section].flatMap((fields) =>
      listSecrets(kind, fields).map(({ variable, path }) => ({
        name: variable ?? '',
        purpose: `${path.join('.')} of the ${kind.noun} "${fields.name}"`,
      })),
    ),
  )
  const header = [
    'Imported from an app of Dify.',
    ...(notes.length > 0 ? ['', 'Not carried over:', ...notes.map((note) => `- ${note}`)] : []),
    '',
    ...buildHeader(variables),
  ]
  return documentText(sections, header)
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Files of other products may have any shape. These read a value only if it has the expected type. */
export const objectIn = (fields: unknown, name: string): Fields => {
  const value = isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined
  return isObject(value) ? value : {}
}
export const listIn = (fields: unknown, name: string): unknown[] => {
  const value = isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value : []
}
export const textIn = (fields: unknown, name: string): string => {
  const value = isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
export const numberIn = (fields: unknown, name: string): number | null => {
  const value = isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export const resourceName = (text: string, fallback: string): string => oneLine(text).slice(0, 190).trim() || fallback

const oneLine = (text: string): string => text.toWellFormed().replace(/\s+/g, ' ').trim()

/** Calls to this address fail without leaving the machine: no name ends in `.invalid`. */
export const placeholderHost = 'https://change-me.invalid'

export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0) &&
        !(isObject(value) && Object.keys(value).length === 0),
    ),
  )

export const within = (value: number | null, min: number, max: number): number | null =>
  value === null ? null : Math.min(max, Math.max(min, value))

/** Values of `metadata`, which are strings. */
export const labels = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
      .filter(([, value]) => value.length <= 10_000)
      .slice(0, 90),
  )
