import type { Chunk, Condition, Filters, Scalar, SearchRequest } from '../search-index.ts'

const maxDepth = 8
type Fields = Record<string, Exclude<Scalar, null>[]>

/** Postgres stores no NUL. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** The values that filters refer to, by field. A list gives several values; fields of objects are named `outer.inner`. */
export function chunkFields({ source, page, documentId, metadata }: Chunk): Fields {
  const fields: Fields = Object.create(null)
  const put = (name: string, value: unknown, depth: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) if (isScalar(item)) put(name, item, depth)
    } else if (isScalar(value)) {
      if (value === null) return
      const key = storable(name)
      fields[key] ??= []
      fields[key].push(typeof value === 'string' ? storable(value) : value)
    } else if (typeof value === 'object' && depth < maxDepth) {
      for (const [inner, item] of Object.entries(value as object)) put(`${name}.${inner}`, item, depth + 1)
    }
  }
  for (const [name, value] of Object.entries(metadata)) if (!ownFields.has(name)) put(name, value, 0)
  put('source', source, 0)
  put('page', page, 0)
  put('document_id', documentId, 0)
  return fields
}

/** Fields that filters take from the chunk, not from its metadata. */
const ownFields = new Set(['source', 'page', 'document_id'])

/** Collects the parameters of a statement. */
export class Parameters {
  readonly values: unknown[]
  constructor(values: unknown[] = []) {
    this.values = values
  }

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

/** The condition that a passage `p` passes all filters and its document is selected; null if there is nothing to check. */
export function filterCondition(
  { filters, documents }: Pick<SearchRequest, 'filters' | 'documents'>,
  parameters: Parameters,
): string | null {
  const conditions = [filters ?? []]
    .flat()
    .flatMap((each) => Object.entries(each as Filters))
    .flatMap(([name, condition]) => conditionSql(storable(name), condition, parameters))
  if (documents) {
    const [ids, operator] = 'only' in documents ? [documents.only, '= any'] : [documents.except, '<> all']
    conditions.push(`p.document_id ${operator}(${parameters.add(ids)}::text[])`)
  }
  return conditions.length === 0 ? null : conditions.join(' and ')
}

function conditionSql(name: string, condition: Condition, parameters: Parameters): string[] {
  if (isScalar(condition)) return [anyOfSql(name, [condition], parameters)]
  if (isList(condition)) return [anyOfSql(name, condition, parameters)]
  const { gte, lte, ne } = condition
  const conditions: string[] = []
  if (gte !== undefined || lte !== undefined) conditions.push(inRange(name, gte, lte, parameters))
  if (ne !== undefined) conditions.push(`not ${anyOfSql(name, [ne], parameters)}`)
  return conditions
}

/** `null` matches passages without a value. */
function anyOfSql(name: string, values: readonly Scalar[], parameters: Parameters): string {
  const matches = values.map((value) =>
    value === null
      ? `not p.fields ? ${parameters.add(name)}`
      : `p.fields @> ${parameters.add(JSON.stringify({ [name]: [typeof value === 'string' ? storable(value) : value] }))}::jsonb`,
  )
  return matches.length === 0 ? 'false' : `(${matches.join(' or ')})`
}

/** Numbers are compared with numbers and strings (such as ISO dates) with strings. */
function inRange(
  name: string,
  gte: string | number | undefined,
  lte: string | number | undefined,
  parameters: Parameters,
): string {
  const bound = (value: string | number | undefined, operator: string): string[] => {
    if (value === undefined) return []
    const type = typeof value
    const cell = type === 'number' ? 'v::numeric' : `(v #>> '{}') collate "C"`
    const cast = type === 'number' ? 'numeric' : 'text'
    const parameter = parameters.add(type === 'number' ? value : storable(value as string))
    return [`case when jsonb_typeof(v) = '${type}' then ${cell} ${operator} ${parameter}::${cast} else false end`]
  }
  const conditions = [...bound(gte, '>='), ...bound(lte, '<=')].join(' and ')
  return `exists (select from jsonb_array_elements(p.fields -> ${parameters.add(name)}) v where ${conditions})`
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isList = (condition: Condition): condition is readonly Scalar[] => Array.isArray(condition)
