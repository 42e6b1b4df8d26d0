import { expect, it } from 'vitest'
import { postgresOptions } from './postgres.ts'

it('takes its own settings out of the URL', () => {
  const options = postgresOptions('postgres://parley@db:5432/parley?sslmode=require&pool_size=8&query_timeout=2000')
  expect(options).toMatchObject({
    connectionString: 'postgres://parley@db:5432/parley?sslmode=require',
    max: 8,
    connectionTimeoutMillis: 2000,
  })
  expect(postgresOptions('postgres://db/parley')).toMatchObject({ max: 20, connectionTimeoutMillis: 10_000 })
})

it.each(['pool_size=3', 'pool_size=many', 'pool_size=', 'query_timeout=0', 'query_timeout=-1'])(
  'refuses %s',
  (setting) => {
    expect(() => postgresOptions(`postgres://db/parley?${setting}`)).toThrow(
      /in DATABASE_URL must be a number of at least/,
    )
  },
)
