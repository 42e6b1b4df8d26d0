import { hash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createFile } from '../../test/attachments.ts'
import { folderOfTest } from '../../test/folder.ts'
import { freshEnvironment, type Json, type Service, startOn, until } from '../../test/harness.ts'
import { knowledge } from '../../test/knowledge.ts'
import { startProcess } from '../../test/process.ts'
import { stageOn } from '../../test/stage.ts'
import { backup, restore } from './command.ts'

type Environment = Record<string, string>

/** A service that keeps its key in its folder, as by default. */
const newEnvironment = async (): Promise<Environment> => ({
  ...(await freshEnvironment()),
  ADMIN_TOKEN: 't',
  SECRET_KEY: '',
})

async function restored(folder: string, from: Environment, more: Environment = {}): Promise<Environment> {
  const environment = { ...from, ...more, DATA_DIR: join(folderOfTest(), 'data') }
  await restore({ folder }, environment, () => {})
  return environment
}

const raw = async ({ url, token }: Service, path: string) => {
  const response = await fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  return [response.status, await response.text()]
}

it('copies a service that is being written to, as it is at one instant', async () => {
  const environment = await newEnvironment()
  const service = await stageOn(await startOn(environment), { deltas: ['Yes ', 'indeed.'] })
  const { make, upload, settled } = knowledge(service)
  const source = await make()
  const searching = { name: 'Search', knowledge_source_id: source, embedding_model: 'parley-static-256' }
  const tool = (await service.post('/rag-tools', searching)).body.data.id
  await upload(source, { 'first.txt': 'Zebra number 0.' })
  await settled(source)
  const acknowledged = new Map<string, string>()
  const documents = new Map<string, string>()
  let isStopped = false
  let rounds = 0

  const talk = async () => {
    const conversation = await service.talk()
    for (let n = 1; !isStopped; n++) {
      const { body } = await service.say(conversation, `Question ${n}`)
      acknowledged.set(body.data.id, conversation)
    }
  }
  /** Adds, replaces and deletes documents. */
  const edit = async (writer: number) => {
    for (let n = 1; !isStopped; n++, rounds++) {
      const name = `${writer}-${n % 7}.txt`
      const { body, status } = await upload(source, { [name]: `Zebra ${writer} wears the number ${n}.` })
      if (status === 201) documents.set(name, body.data[0].id)
      const old = documents.get(`${writer}-${(n + 3) % 7}.txt`)
      if (n % 2 === 0 && old) await service.remove(`/knowledge-sources/${source}/documents/${old}`)
    }
  }
  const attach = async () => {
    while (!isStopped) {
      const conversation = await service.talk()
      const file_id = await createFile(service, 'note.txt', `A note of ${conversation}`)
      await service.say(conversation, 'Look', { attachments: [{ file_id }] })
      if (rounds % 3 > 0) await service.remove(`/conversations/${conversation}`)
    }
  }
  const writers = [talk(), talk(), edit(1), edit(2), attach()]
  await until(() => acknowledged.size > 20 && rounds > 10)

  /** The replies before the backup, and whether there were more during it. */
  const backUp = async (folder: string) => {
    const before = new Map(acknowledged)
    const child = startProcess(environment, { args: ['backup', folder] })
    expect([await child.ended, child.errors()]).toEqual([0, ''])
    expect(child.output()).toContain('It contains the key that decrypts its secrets')
    return acknowledged.size > before.size && { folder, before }
  }
  const { folder, before } = await until(() => backUp(join(folderOfTest(), 'backup')))
  isStopped = true
  await Promise.all(writers)

  const copy = await startOn(await restored(folder, environment))
  for (const [id, conversation] of before) {
    const { body } = await copy.get(`/conversations/${conversation}/messages/${id}`)
    expect(body.data).toMatchObject({ status: 'completed', content: 'Yes indeed.' })
  }
  const files = await copy.ctx.db.selectFrom('file').selectAll().execute()
  for (const { id } of files)
    expect(await raw(copy, `/files/${id}/content`)).toEqual([200, expect.stringMatching(/^A note/)])
  expect((await copy.get('/audit/verify')).body.data.valid).toBe(true)
  await until(async () => (await copy.get(`/knowledge-sources/${source}`)).body.data.status !== 'syncing')
  const found: Json[] = (await copy.get(`/knowledge-sources/${source}/documents?limit=100`)).body.data
  expect(found.length).toBeGreaterThan(4)
  for (const { id, status } of found) {
    const [code, text] = await raw(copy, `/knowledge-sources/${source}/documents/${id}/file`)
    expect([code, text, status]).toEqual([200, expect.stringMatching(/^Zebra/), 'indexed'])
    const number = /number (\d+)/.exec(String(text))?.[1]
    const query = { query: `Zebra number ${number}`, answer: false, top_k: 50 }
    const { results } = (await copy.post(`/rag-tools/${tool}/query`, query)).body.data
    expect(results.map(({ metadata }: Json) => metadata.document_id)).toContain(id)
  }
  const database = new BetterSqlite(join(copy.environment.DATA_DIR ?? '', 'parley.db'), { readonly: true })
  expect([database.pragma('integrity_check'), database.pragma('foreign_key_check')]).toEqual([
    [{ integrity_check: 'ok' }],
    [],
  ])
  database.close()
})

/** The folder of a stopped service with a document, an attachment and a secret. */
async function stoppedService(more: Environment = {}) {
  const environment = { ...(await newEnvironment()), ...more }
  const service = await startOn(environment)
  const { make, upload, settled } = knowledge(service)
  const source = await make()
  const [document] = (await upload(source, { 'tea.txt': 'Green tea is brewed at 80 degrees.' })).body.data
  await settled(source)
  const file = await createFile(service, 'note.txt', 'A note to keep')
  const auth = { type: 'bearer', token: 'tool-secret' }
  await service.post('/api-tools', { name: 'lookup', description: 'D', url: 'http://127.0.0.1:9/x', auth })
  await service.close()
  return { environment, path: `/knowledge-sources/${source}/documents/${document.id}/file`, file }
}

async function backedUp(environment: Environment): Promise<{ folder: string; lines: string[] }> {
  const lines: string[] = []
  const folder = join(folderOfTest(), 'backup')
  await backup({ folder }, environment, (line) => lines.push(line))
  return { folder, lines }
}

const walk = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => join(entry.parentPath, entry.name))

it('refuses damaged backups, and folders that it must not use', async () => {
  const { environment, path, file } = await stoppedService()
  const { DATA_DIR = '' } = environment
  const { folder, lines } = await backedUp(environment)
  expect(lines.join('\n')).toMatch(/^Backed up .* 3 uploaded files, .* MB in all\.\nIt contains the key/)
  for (const each of [folder, ...walk(folder)])
    expect([each, statSync(each).mode & 0o777]).toEqual([each, statSync(each).isDirectory() ? 0o700 : 0o600])
  expect(readdirSync(folder).sort()).toEqual(['files', 'manifest.json', 'parley.db', 'search.db', 'secret-key'])

  const refusing = (to: string, more: Environment = {}) =>
    expect(backup({ folder: to }, { ...environment, ...more }, () => {})).rejects
  await refusing(folder).toThrow(/exists already/)
  await refusing(join(DATA_DIR, 'backup')).toThrow(/Name a folder elsewhere/)
  await refusing(join(folder, 'x'), { DATA_DIR: folderOfTest() }).toThrow(/There is no data of Parley/)
  await refusing(join(folder, 'x'), { DATABASE_URL: 'postgres://x/y' }).toThrow(/use pg_dump/)
  await refusing(join(folder, 'x'), { FILES_URL: 's3://bucket' }).toThrow(/FILES_URL is a bucket/)
  await refusing(join(folder, 'manifest.json', 'x')).toThrow(/ENOTDIR|EEXIST/)

  const interrupted = join(folderOfTest(), 'x')
  const stopped = backup({ folder: interrupted, signal: AbortSignal.abort() }, environment, () => {})
  await expect(stopped).rejects.toThrow(/Interrupted\. Nothing is left/)
  expect(readdirSync(dirname(interrupted))).toEqual([])
  const checked: string[] = []
  await restore({ folder, check: true }, environment, (line) => checked.push(line))
  expect(checked.at(-1)).toMatch(/^The backup of .* is complete: 3 uploaded files/)

  const manifest: Json = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const upload: string = manifest.files.find((each: Json) => each.path.startsWith('files/wsp_')).path
  const rewrite = (to: string, change: (manifest: Json) => void) => {
    const { checksum: _, ...changed } = structuredClone(manifest)
    change(changed)
    const checksum = hash('sha256', JSON.stringify(changed))
    writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...changed, checksum }))
  }
  const damages: [RegExp, (copy: string) => void][] = [
    [/is no backup/, (copy) => rmSync(join(copy, 'manifest.json'))],
    [/manifest\.json .* is damaged/, (copy) => truncateSync(join(copy, 'manifest.json'), 100)],
    [/manifest\.json .* is damaged/, (copy) => writeFileSync(join(copy, 'manifest.json'), 'null')],
    [
      /manifest\.json .* is damaged/,
      (copy) =>
        writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, files: manifest.files.slice(1) })),
    ],
    [/is damaged/, (copy) => rewrite(copy, ({ files }) => Object.assign(files[0], { path: 'files/../../x' }))],
    [/is damaged/, (copy) => rewrite(copy, ({ files }) => Object.assign(files[0], { path: '/etc/x' }))],
    [/is damaged/, (copy) => rewrite(copy, ({ files }) => files.push(files[0]))],
    [/the format 2/, (copy) => rewrite(copy, (changed) => Object.assign(changed, { format: 2 }))],
    [
      /Parley 99\.0\.0, which is newer/,
      (copy) => rewrite(copy, (changed) => Object.assign(changed, { version: '99.0.0' })),
    ],
    [/with the migration 2999-x/, (copy) => rewrite(copy, ({ migrations }) => migrations.push('2999-x'))],
    [/parley\.db: it has \d+ bytes/, (copy) => appendFileSync(join(copy, 'parley.db'), 'x')],
    [
      /files\/wsp_.*: its content has changed/,
      (copy) => writeFileSync(join(copy, upload), 'Green tea is brewed at 90 degrees.'),
    ],
    [/files\/wsp_.*: it is missing/, (copy) => rmSync(join(copy, upload))],
    [
      /files\/wsp_.*: it is missing/,
      (copy) => {
        renameSync(join(copy, upload), join(copy, 'elsewhere'))
        symlinkSync(join(copy, 'elsewhere'), join(copy, upload))
      },
    ],
  ]
  const target = join(folderOfTest(), 'data')
  for (const [message, damage] of damages) {
    const copy = join(folderOfTest(), 'copy')
    cpSync(folder, copy, { recursive: true })
    damage(copy)
    await expect(restore({ folder: copy, data: target }, environment, () => {})).rejects.toThrow(message)
    expect(existsSync(target)).toBe(false)
  }
  await expect(restore({ folder }, environment, () => {})).rejects.toThrow(/is not empty/)
  const running = await startOn(environment)
  await expect(restore({ folder }, environment, () => {})).rejects.toThrow(/Another Parley is using/)
  await running.close()

  // An interrupted restore leaves this file and a part of the others.
  mkdirSync(target)
  for (const name of ['restoring', 'parley.db', 'secret-key', 'parley.lock-journal'])
    writeFileSync(join(target, name), 'half')
  await expect(startOn({ ...environment, DATA_DIR: target })).rejects.toThrow(/was not completely restored/)
  await restore({ folder, data: target }, environment, () => {})
  expect(readdirSync(target).sort()).toEqual(['files', 'parley.db', 'parley.lock', 'search.db', 'secret-key'])
  const copy = await startOn({ ...environment, DATA_DIR: target })
  expect(await raw(copy, path)).toEqual([200, 'Green tea is brewed at 80 degrees.'])
  expect(await raw(copy, `/files/${file}/content`)).toEqual([200, 'A note to keep'])
})

it('copies files of another folder, without the key of the environment, and says which files are lost', async () => {
  const FILES_URL = `file://${folderOfTest()}`
  const { environment, path, file } = await stoppedService({ FILES_URL, SECRET_KEY: 'of the environment' })
  const stored = walk(FILES_URL.slice(7)).filter((each) => statSync(each).isFile())
  const lost = stored.find((each) => each.endsWith(file)) ?? ''
  rmSync(lost)
  appendFileSync(stored.find((each) => each.includes('/doc_')) ?? '', ' Or 70.')
  const { folder, lines } = await backedUp(environment)
  expect(lines[0]).toMatch(/Warning: the file wsp_.*doc_.* is not what was uploaded/)
  expect(lines[1]).toMatch(new RegExp(`Warning: .* missing in the data folder: attachments/wsp_.*/${file}$`))
  expect(lines[3]).toMatch(/keep the SECRET_KEY of the service/)
  const files = folderOfTest()
  const copy = await startOn(await restored(folder, environment, { FILES_URL: `file://${files}` }))
  expect(await raw(copy, path)).toEqual([200, 'Green tea is brewed at 80 degrees. Or 70.'])
  expect((await raw(copy, `/files/${file}/content`))[0]).toBe(404)
})
