import { type TSchema, Type } from 'typebox'
import type { Page } from '../store/list.ts'
import type { Reply } from './app.ts'

const Success = Type.Unsafe<true>({ type: 'boolean', const: true })

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer({ description: 'The number of rows.' }),
    pages: Type.Integer({ description: '`total` divided by `limit`, rounded up.' }),
  },
  { title: 'Pagination', examples: [{ page: 1, limit: 20, total: 1, pages: 1 }] },
)

export const Ok = <T extends TSchema>(data: T) => Type.Object({ success: Success, data })
export const Listed = <T extends TSchema>(item: T) =>
  Type.Object({
    success: Success,
    data: Type.Array(item),
    pagination: Pagination,
    message: Type.Optional(Type.String({ description: 'If rows may be missing, why.' })),
  })
/** One resource with a page of its parts. */
export const Paged = <T extends TSchema>(data: T) => Type.Object({ success: Success, data, pagination: Pagination })
export const Done = Type.Object(
  { success: Success, message: Type.String() },
  { title: 'Done', examples: [{ message: 'The agent was deleted.' }] },
)

export const ok = <T>(data: T) => ({ success: true as const, data })
export const done = (message: string) => ({ success: true as const, message })

export const listed = <T>({ rows, total, message }: Page<T>, { page, limit }: { page: number; limit: number }) => ({
  success: true as const,
  data: rows,
  pagination: { page, limit, total, pages: Math.ceil(total / limit) },
  ...(message !== undefined && { message }),
})

export const created = <T>(reply: Reply, data: T) => {
  reply.status(201)
  return ok(data)
}

export const ById = Type.Object({ id: Type.String() })
