import { expect, it } from 'vitest'
import { freshEnvironment } from '../../test/harness.ts'
import { inspectMachine } from './machine.ts'

it('checks Postgres, pgvector, the schema and the key of a cluster', async () => {
  const checks = async (environment: Record<string, string>) =>
    Object.fromEntries((await inspectMachine(environment)).map((check) => [check.name, check]))
  expect(await checks({ ...(await freshEnvironment()), SECRET_KEY: 'a key' })).toMatchObject({
    Database: { status: 'ok', message: expect.stringMatching(/^Postgres \d+/) },
    pgvector: { name: 'pgvector' },
    Schema: { status: 'ok' },
    'Secret key': { status: 'ok', message: 'from SECRET_KEY' },
  })
  expect(await checks(await freshEnvironment({ empty: true }))).toMatchObject({
    Schema: { status: 'warn', hint: expect.stringContaining('parley backup') },
    'Secret key': { status: 'fail' },
  })
})
