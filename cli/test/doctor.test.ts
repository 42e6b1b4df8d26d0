import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closedPort } from '../../server/test/closed-port.ts'
import { testKey } from '../../server/test/config.ts'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { scriptedApi } from '../../server/test/scripted-api.ts'
import { stageOn } from '../../server/test/stage.ts'
import { connected, parley } from './terminal.ts'

interface Check {
  name: string
  status: string
  message: string
  hint?: string
}

it('checks the machine and the service, and says what to do', async () => {
  const here = await stageOn(await startService(), { deltas: ['Hello'] })
  const environment = { ...connected(here), DATA_DIR: here.environment.DATA_DIR, SECRET_KEY: testKey }
  const checks = async (more: Record<string, string> = {}, ...argv: string[]) => {
    const { out, code } = await parley(['doctor', '--json', ...argv], { environment: { ...environment, ...more } })
    const byName = Object.fromEntries((JSON.parse(out).checks as Check[]).map((check) => [check.name, check]))
    return { code, byName }
  }
  const well = await checks()
  expect(Object.values(well.byName).filter(({ status }) => status !== 'ok')).toEqual([])
  expect(well.code).toBe(0)
  expect(Object.keys(well.byName)).toEqual(
    expect.arrayContaining(['Node', 'Settings', 'Data folder', 'Disk', 'Database', 'Schema', 'Secret key', 'Egress']),
  )
  expect(well.byName).toMatchObject({
    Service: { status: 'ok' },
    Clock: { status: 'ok' },
    Token: { message: expect.stringContaining('owner of workspace') },
    'Model Scripted': { message: expect.stringMatching(/answered in \d+ ms/) },
  })

  here.provider.next({ status: 401, body: { error: { message: 'Wrong key' } } })
  const closed = `127.0.0.1:${await closedPort()}`
  const ill = await checks({ SECRET_KEY: 'another', EGRESS_ALLOW: '0.0.0.0/0', REDIS_URL: `redis://${closed}` })
  expect(ill.code).toBe(1)
  expect(ill.byName).toMatchObject({
    'Secret key': { status: 'fail', hint: expect.stringContaining('SECRET_KEY') },
    Egress: { status: 'warn', hint: expect.stringContaining('EGRESS_ALLOW') },
    Redis: { status: 'fail', hint: expect.stringContaining('REDIS_URL') },
    'Model Scripted': { status: 'fail', hint: expect.stringContaining('parley models get mdl_') },
  })
  const postgres = await checks({ DATABASE_URL: `postgres://${closed}/x` }, '--skip-models')
  expect(postgres.byName).toMatchObject({
    Database: { status: 'fail', hint: expect.stringContaining('DATABASE_URL') },
    Models: { message: expect.stringContaining('not tested') },
  })
  expect((await checks({ PORT: 'eighty' })).byName.Settings).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('PORT'),
  })

  const viewer = await checks({ PARLEY_TOKEN: await here.tokenFor('viewer') }, '--service-only')
  expect(viewer.byName).toMatchObject({ 'Model Scripted': { status: 'warn' } })
  expect(viewer.byName.Node).toBeUndefined()
})

it('says that the database of a running service is down', async () => {
  const { ctx, url, token } = await startService({ own: true })
  await ctx.nodes.close() // it has a connection of its own
  await ctx.db.destroy()
  const { out, code } = await parley(['doctor', '--service-only'], {
    environment: { PARLEY_URL: url, PARLEY_TOKEN: token },
  })
  expect(code).toBe(1)
  expect(out).toMatch(/✓ Service: /)
  expect(out).toMatch(/✗ Database of the service: .* is down\n {4}.*DATABASE_URL/)
})

it('says what is wrong with the data folder, the address and the token', async () => {
  const { url } = await startService()
  const folder = folderOfTest()
  writeFileSync(join(folder, 'owner-token'), 'wrong')
  chmodSync(join(folder, 'owner-token'), 0o644)
  const doctor = (environment: object) =>
    parley(['doctor', '--data', folder], { environment: { ...environment, DATA_DIR: folder } })
  const wrong = await doctor({ PARLEY_URL: url })
  expect(wrong.code).toBe(1)
  expect(wrong.out).toMatch(/! Permissions: .*owner-token\n {4}Run: chmod 600 /)
  expect(wrong.out).toMatch(/✗ Token: .* from the data folder\n {4}.*parley login/)
  expect(wrong.out).toMatch(/\n\n\d+ ok, 1 warnings, 1 failed\n$/)
  const gone = await doctor({ PARLEY_URL: `http://127.0.0.1:${await closedPort()}`, PARLEY_TOKEN: 'x' })
  expect(gone.out).toMatch(/✗ Service: Could not connect .*\(PARLEY_URL\)\n {4}Start the service with "parley serve"/)
  const late = await scriptedApi(() => ({
    headers: { date: 'Mon, 01 Jan 2024 00:00:00 GMT' },
    body: { status: 'healthy', version: '9.9.9', database: 'connected', vector_db: 'connected' },
  }))
  const other = await doctor({ PARLEY_URL: late.url })
  expect(other.out).toMatch(/! Service: .*version 9\.9\.9, this checkout is/)
  expect(other.out).toMatch(/! Clock: \d+ s between/)
})
