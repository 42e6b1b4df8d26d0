import { type TObject, type TSchema, Type } from 'typebox'
import { parseBound, TimeBound } from '../dates.ts'
import { isScalar, listProperties } from '../schema.ts'

export interface ListQuery {
  page: number
  limit: number
  sort: string
  order: 'asc' | 'desc'
  q: string | undefined
  /** The columns to read; all if undefined. */
  fields: readonly string[] | undefined
  /** Equality by field. */
  where: Record<string, string | number | boolean>
  /** Bounds of times. */
  ranges?: readonly Range[]
}

interface Range {
  field: string
  operator: '>=' | '<='
  value: string
}

export interface Page<Row> {
  rows: Row[]
  total: number
  /** A notice for the caller, such as that some rows may be missing. */
  message?: string
}

const paging = {
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'The page, starting at 1.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page.' }),
}

/** The query parameters of a list with pages only. */
export const PageQuery = Type.Object(paging, { additionalProperties: false })

export type RawListQuery = Record<string, string | number | boolean>

/**
 * The query parameters of a resource's list, derived from its shape: sort and filter by every scalar field, and bounds of
 * its times. `more` are filters of its own.
 */
export function listParameters(
  resource: TObject,
  except: readonly string[] = [],
  more: Record<string, TSchema> = {},
): TObject {
  const scalars = listProperties(resource).filter(
    ([name, property]) => isScalar(property) && !property.writeOnly && !except.includes(name),
  )
  const names = scalars.map(([name]) => name)
  const filters = scalars.map(([name, property]) => {
    const type = [property.type ?? 'string'].flat().find((each) => each !== 'null')
    const bounds = type === 'integer' ? { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } : {} // the range of an integer column
    const format = property.format === undefined ? {} : { format: property.format }
    const values = property.enum ? { enum: property.enum.filter((value) => value !== null) } : {}
    return [
      name,
      Type.Optional(Type.Unsafe({ type, ...bounds, ...format, ...values, description: `Filter by ${name}.` })),
    ]
  })
  const bounds = scalars
    .filter(([, property]) => property.format === 'date-time')
    .flatMap(([name]) => [
      [`${name}_gte`, TimeBound(`Only if ${name} is not before this.`)],
      [`${name}_lte`, TimeBound(`Only if ${name} is not after this.`)],
    ])
  const defaultSort = names.includes('created_at') ? 'created_at' : 'id'
  return Type.Object(
    {
      ...Object.fromEntries(filters),
      ...Object.fromEntries(bounds),
      ...more,
      ...paging,
      sort: Type.Unsafe({ type: 'string', enum: names, default: defaultSort, description: 'The field to sort by.' }),
      order: Type.Unsafe({
        type: 'string',
        enum: ['asc', 'desc'],
        default: 'desc',
        description: 'Ascending or descending.',
      }),
      q: Type.Optional(Type.String({ maxLength: 500, description: wordsIn(searchedFields(resource)) })),
    },
    { additionalProperties: false },
  )
}

/** The fields that `q` searches. */
export const searchedFields = (resource: TObject & { 'x-searched'?: string[] }): string[] =>
  resource['x-searched'] ?? ['name', 'title', 'description'].filter((field) => field in resource.properties)

const wordsIn = (fields: string[]): string =>
  fields.length === 0
    ? 'Words to find. These resources have neither name nor description, so nothing matches.'
    : `Words to find in ${fields.join(' and ')}.`

export function toListQuery(raw: RawListQuery, fields?: readonly string[]): ListQuery {
  const { page, limit, sort, order, q, ...filters } = raw as RawListQuery &
    Omit<ListQuery, 'where' | 'ranges' | 'fields'>
  const where: ListQuery['where'] = {}
  const ranges: Range[] = []
  for (const [name, value] of Object.entries(filters)) {
    const [, field, side] = /^(\w+)_(gte|lte)$/.exec(name) ?? []
    if (field === undefined || typeof value !== 'string') where[name] = value
    else {
      const bound = side === 'gte' ? 'gte' : 'lte'
      ranges.push({ field, operator: bound === 'gte' ? '>=' : '<=', value: parseBound(name, String(value), bound) })
    }
  }
  return { page, limit, sort, order, q, fields, where, ranges }
}

/** All rows, newest first. Ids are in the order of creation. */
export const allRows = (where: ListQuery['where'], fields?: readonly string[]): Omit<ListQuery, 'page'> => ({
  limit: Number.MAX_SAFE_INTEGER,
  sort: 'id',
  order: 'desc',
  q: undefined,
  fields,
  where,
})
