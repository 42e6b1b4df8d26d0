import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService, until } from '../../server/test/harness.ts'
import { startProcess } from '../../server/test/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const call = promisify(execFile)

it('npx parley runs the command line of the checkout', async () => {
  const { url, token, post } = await startService()
  await post('/agents', { name: 'Found by npx' })
  const env = { ...process.env, PARLEY_URL: url, PARLEY_TOKEN: token }
  const { stdout } = await call('npx', ['--no-install', 'parley', 'agents', 'list', '--json'], { cwd: root, env })
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'Found by npx' }])
})

it('fails with the exit code of wrong usage', async () => {
  await expect(call(process.execPath, [join(root, 'bin/parley.js'), 'nonsense'])).rejects.toMatchObject({ code: 2 })
})

it('serve starts the service with its flags, and stops at a signal', async () => {
  const data = folderOfTest()
  const started = startProcess(
    { DEMO: 'false', LOG_LEVEL: 'silent' },
    { args: ['serve', '--port', '0', '--data', data] },
  )
  const address = await started.address
  const token = await until(() => /#token=(\S+)/.exec(started.output())?.[1])
  const env = { ...process.env, PARLEY_URL: address, DATA_DIR: data }
  // Without a token it takes the one of the data folder, because the service is on this machine.
  const listed = await call(process.execPath, [join(root, 'bin/parley.js'), 'agents', 'list', '--json'], {
    env: { ...env, HOME: data },
  })
  expect([JSON.parse(listed.stdout), token]).toEqual([[], expect.stringMatching(/^parley_/)])
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
})
