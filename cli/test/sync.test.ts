import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../server/test/folder.ts'
import { startService } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { mayCallLoopback } from '../../server/test/scripted-api.ts'
import { connected, parley } from './terminal.ts'

it('uploads what changed, deletes what is gone, and lists what could not be read', async () => {
  const service = await startService(mayCallLoopback)
  const folder = folderOfTest()
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const environment = connected(service)
  const sync = (...more: string[]) => parley(['sync', 'Handbook', '.', ...more], { environment, folder })
  write('start.md', 'Parcels take three days.')
  write('guides/start.md', 'Returns are free.')
  write('guides/old.draft.md', 'A draft.')
  write('build/out.md', 'Built.')
  write('.secret', 'Hidden.')
  write('node_modules/x/readme.md', 'A package.')
  symlinkSync('/etc/hostname', join(folder, 'link.txt'))

  const missing = await sync()
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no source "Handbook"')])
  const ignored = ['--ignore', '*.draft.md', '--ignore', 'build/']
  const planned = await sync('--create', '--dry-run', ...ignored)
  expect(planned.out).toBe(
    '+ guides - start.md\n+ start.md\n2 added, 0 changed, 0 deleted, 0 unchanged. Nothing was done.\n',
  )
  expect((await service.get('/knowledge-sources')).body.data).toEqual([])

  const first = await sync('--create', ...ignored)
  expect(first).toMatchObject({ code: 0, out: '2 added, 0 changed, 0 deleted, 0 unchanged, 0 failed\n' })
  expect(first.err).toBe('Uploading 2 files (41 B)\n')
  const source = (await service.get('/knowledge-sources')).body.data[0].id
  const { documents } = knowledge(service)
  const state = async () => Object.fromEntries((await documents(source)).map(({ name, status }) => [name, status]))
  expect(await state()).toEqual({ 'guides - start.md': 'indexed', 'start.md': 'indexed' })
  expect((await sync(...ignored)).out).toBe('0 added, 0 changed, 0 deleted, 2 unchanged, 0 failed\n')

  write('start.md', 'Parcels take four days.')
  write('broken.pdf', '%PDF-1.4 and nothing else')
  write('empty.md', '')
  rmSync(join(folder, 'guides/start.md'))
  const second = await sync('--delete', '--json', ...ignored)
  const report = JSON.parse(second.out)
  expect(second.code).toBe(1)
  expect(report).toMatchObject({ added: 2, changed: 1, unchanged: 0, deleted: 1, sync: { status: 'completed' } })
  expect(report.failed.map(({ name }: { name: string }) => name).sort()).toEqual(['broken.pdf', 'empty.md'])
  for (const { error } of report.failed) expect(error).toMatch(/\w{3,}/)
  expect(await state()).toMatchObject({ 'start.md': 'indexed', 'broken.pdf': 'failed' })

  const shown = await parley(['sync', source, '.', ...ignored], {
    environment: connected(service),
    folder,
    columns: 100,
  })
  expect([shown.code, shown.out]).toEqual([1, expect.stringContaining('2 failed')])
  expect(shown.err).toMatch(/✗ broken\.pdf: .+\n/)
  expect(shown.err).toMatch(/Uploading .*█/)

  const empty = folderOfTest()
  const asked = await parley(['sync', 'Handbook', empty, '--delete'], { environment })
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('Pass --yes')])
  expect((await parley(['sync', 'Handbook', empty, '--delete', '--yes'], { environment })).code).toBe(0)
  expect(await state()).toEqual({})
  expect((await parley(['sync', 'Handbook', '/nowhere'], { environment })).err).toContain('There is no folder /nowhere')
})
