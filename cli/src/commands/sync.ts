import { openAsBlob } from 'node:fs'
import type { Parley } from '../client.ts'
import { findId, sourceCollection } from '../collections.ts'
import { command } from '../command.ts'
import { CliError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import { type Progress, progressTo, sizeText } from '../progress.ts'
import { confirm } from '../prompt.ts'
import type { Session } from '../session.ts'
import { type LocalFile, localFiles } from '../sync/local-files.ts'
import { type Plan, planSync, type RemoteDocument } from '../sync/plan.ts'
import { runSync } from '../sync/run-sync.ts'
import { cleanLine } from '../text.ts'

interface Failure {
  name: string
  error: string
}

export const sync = command({
  name: 'sync',
  summary: 'Bring a source up to date with a folder',
  args: '<source> [folder]',
  details: `Uploads new and changed files, waits until they can be found, and lists those that could not be read: then the exit code
is 1. Documents without a file stay, unless --delete is passed. Hidden files, symbolic links and node_modules are left out.
A file in a folder gets its name, too: "guides/start.md" becomes the document "guides - start.md".
Without a folder, the source itself is synced: the pages of a web source, the files of a directory of the server.`,
  connects: true,
  options: {
    delete: { type: 'boolean', description: 'Delete documents that have no file' },
    ignore: {
      type: 'string',
      multiple: true,
      value: 'glob',
      description: 'Leave out files or folders; may be repeated',
    },
    create: { type: 'boolean', description: 'Create the source if there is none of this name' },
    'dry-run': { type: 'boolean', description: 'Only show what would be done' },
    yes: { type: 'boolean', short: 'y', description: 'Do not ask before the last documents are deleted' },
    json: jsonOption,
  },
  examples: [
    'parley sync Handbook ./docs',
    'parley sync Handbook ./docs --create --ignore "*.draft.md" --ignore build',
    'parley sync Handbook ./docs --delete --dry-run',
    'parley sync "Our web site"',
  ],
  async run(session, [name = '', folder], { ignore = [], create, yes, 'dry-run': isDry, delete: deletes }) {
    const { out, err, isJson, path, client } = session
    const connected = await client()
    const progress = progressTo(err)
    const files = folder === undefined ? null : await localFiles(path(folder), ignore)
    const id = await sourceId(connected, name, Boolean(create), Boolean(isDry))
    const failures: Failure[] = []
    let plan: Plan = { added: [], changed: [], unchanged: [], gone: [] }
    if (files !== null) {
      const documents = id === null ? [] : await listDocuments(connected, id)
      plan = await planSync(files, documents, (done) => progress.show('Comparing', done, files.length))
      progress.end()
      if (!deletes) plan.gone = []
      if (isDry || id === null) return printPlan(session, plan)
      if (files.length === 0 && plan.gone.length > 0) {
        const question = `The folder is empty. Delete all ${plan.gone.length} documents of ${name}?`
        if (!(await confirm(session.io, question, yes))) return 1
      }
      failures.push(...(await upload(connected, id, [...plan.added, ...plan.changed], progress)))
      await deleteGone(connected, id, plan.gone, progress)
    } else if (isDry || id === null) throw new CliError('--dry-run and --create need a folder.')
    const record = await runSync(connected, id, progress)
    progress.end()
    const unread = (await listDocuments(connected, id, { status: 'failed' })).filter(
      (document) => files === null || files.some((file) => file.name === document.name),
    )
    for (const document of unread) {
      if (failures.some((failure) => failure.name === document.name)) continue
      failures.push({ name: document.name, error: document.error ?? 'It could not be read.' })
    }
    const counts = {
      added: plan.added.length,
      changed: plan.changed.length,
      unchanged: plan.unchanged.length,
      deleted: plan.gone.length,
    }
    if (isJson) out.json({ source_id: id, ...counts, failed: failures, sync: record })
    else {
      for (const failure of failures)
        err.line(`${err.paint('red', '✗')} ${cleanLine(failure.name)}: ${cleanLine(failure.error)}`)
      if (record.status === 'failed')
        err.line(`${err.paint('red', '✗')} ${cleanLine(record.error ?? 'The sync failed.')}`)
      const { added, updated, removed, unchanged } = record.documents
      if (files === null)
        out.line(
          `${added} added, ${updated} changed, ${removed} deleted, ${unchanged} unchanged, ${failures.length} failed`,
        )
      else out.line(`${countsText(counts)}, ${failures.length} failed`)
    }
    return failures.length > 0 || record.status === 'failed' ? 1 : 0
  },
})

const countsText = (counts: { added: number; changed: number; deleted: number; unchanged: number }): string =>
  `${counts.added} added, ${counts.changed} changed, ${counts.deleted} deleted, ${counts.unchanged} unchanged`

async function sourceId(client: Parley, name: string, creates: boolean, isDry: boolean): Promise<string | null> {
  if (creates && (await client.knowledgeSources.list({ name, limit: 1 })).data.length === 0) {
    return isDry ? null : (await client.knowledgeSources.create({ name, type: 'file' })).id
  }
  return findId(client, sourceCollection, name)
}

const listDocuments = (client: Parley, source: string, query: { status?: 'failed' } = {}): Promise<RemoteDocument[]> =>
  client.knowledgeSources.documents(source, query).all()

function printPlan({ out, isJson }: Session, { added, changed, unchanged, gone }: Plan): number {
  const names = (list: { name: string }[]) => list.map(({ name }) => name)
  if (isJson) {
    out.json({ added: names(added), changed: names(changed), deleted: names(gone), unchanged: unchanged.length })
    return 0
  }
  for (const name of names(added)) out.line(`+ ${name}`)
  for (const name of names(changed)) out.line(`~ ${name}`)
  for (const name of names(gone)) out.line(`- ${name}`)
  const counts = { added: added.length, changed: changed.length, deleted: gone.length, unchanged: unchanged.length }
  out.line(`${countsText(counts)}. Nothing was done.`)
  return 0
}

async function upload(client: Parley, source: string, files: LocalFile[], progress: Progress): Promise<Failure[]> {
  if (files.length === 0) return []
  const failures = new Map<string, string>()
  const total = files.reduce((sum, { size }) => sum + size, 0)
  progress.line(`Uploading ${files.length} ${files.length === 1 ? 'file' : 'files'} (${sizeText(total)})`)
  const blobs = await Promise.all(files.map(async ({ name, path }) => ({ name, content: await openAsBlob(path) })))
  const ended = new Set<number>()
  const options = {
    sync: false,
    onProgress({ index, name, state, error }: { index: number; name: string; state: string; error?: Error }) {
      if (state === 'sending') return
      ended.add(index)
      if (error) failures.set(name, error.message)
      else failures.delete(name)
      progress.show('Uploading', ended.size, files.length)
    },
  }
  await client.knowledgeSources.upload(source, blobs, options).catch((error: unknown) => {
    // Errors of single files are listed at the end; a lost connection or a wrong token ends the command.
    const { status } = error as { status?: number }
    if (status === undefined || ![400, 413, 415].includes(status)) throw error
  })
  progress.end()
  return [...failures].map(([name, error]) => ({ name, error }))
}

async function deleteGone(client: Parley, source: string, gone: RemoteDocument[], progress: Progress): Promise<void> {
  for (const [index, { id }] of gone.entries()) {
    progress.show('Deleting', index, gone.length)
    await client.knowledgeSources.deleteDocument(source, id)
  }
  progress.end()
}
