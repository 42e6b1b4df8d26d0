import { Readable } from 'node:stream'
import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { FileMissing, type FilePath } from '../../kernel/files/files.ts'
import { type ZipEntry, zip } from '../../kernel/files/zip.ts'
import type { Person } from '../../kernel/personal-data.ts'
import { day, hour, timestamp } from '../../kernel/time.ts'
import { toFunctions } from './declared.ts'
import type { ExportFile } from './schema.ts'
import { type JobRow, jobs, updateJob } from './store.ts'

const rootFolder = 'exports'
const keptFor = day
const removedAtOnce = 100
const exportPath = (workspace: string, id: string): FilePath => [rootFolder, workspace, `${id}.zip`]

/** Writes everything of a person into one archive. Only a few rows are in memory at a time. */
export async function exportPerson(ctx: Context, job: JobRow, person: Person, signal: AbortSignal): Promise<void> {
  let files = 0
  const entries = async function* (): AsyncGenerator<ZipEntry> {
    for (const { files: listFiles } of ctx.personalData.map(toFunctions)) {
      for await (const file of listFiles?.(ctx, person) ?? []) {
        signal.throwIfAborted()
        files++
        yield file
      }
    }
  }
  const archive = await ctx.files.receive(zip(entries(), ctx.now()), Number.POSITIVE_INFINITY)
  try {
    await ctx.files.keep(archive, exportPath(person.workspace, job.id))
  } finally {
    await ctx.files.discard(archive)
  }
  const file: ExportFile = {
    name: `${job.person_id}.zip`,
    size: archive.size,
    sha256: archive.sha256,
    expires_at: timestamp(ctx.now() + keptFor),
  }
  await updateJob(ctx, ctx.db, person.workspace, job.id, {
    status: 'completed',
    error: null,
    receipt: JSON.stringify({ files }),
    file: JSON.stringify(file),
    finished_at: timestamp(ctx.now()),
  })
}

/** The archive of an export, until it expires. */
export async function exportContent(ctx: Context, who: Caller, id: string) {
  const { file } = (await jobs.find(ctx.db, who.workspace, id)) ?? notFound('user job', id)
  if (file === null || file.expires_at <= timestamp(ctx.now())) notFound('file of the export', id)
  const content = await ctx.files.read(exportPath(who.workspace, id)).catch((error: unknown) => {
    if (error instanceof FileMissing) return notFound('file of the export', id)
    throw error
  })
  return { file, content: Readable.from(content) }
}

const withFile = (ctx: Context) =>
  ctx.db
    .selectFrom('person_job')
    .select(['id', 'workspace_id', 'file'])
    .where('kind', '=', 'export')
    .where('file', '<>', 'null')

async function removeFile(ctx: Context, { workspace_id, id }: { workspace_id: string; id: string }): Promise<void> {
  await ctx.files.remove(exportPath(workspace_id, id))
  await updateJob(ctx, ctx.db, workspace_id, id, { file: 'null' })
}

/** Deletes the archives of a person before they are erased. Returns their number. */
export async function removeExports(ctx: Context, { workspace, marker }: Person): Promise<number> {
  const rows = await withFile(ctx).where('workspace_id', '=', workspace).where('subject', '=', marker).execute()
  for (const row of rows) await removeFile(ctx, row)
  return rows.length
}

/** Deletes archives that have expired, and those that a crash or a deleted workspace left behind. */
export async function removeExpiredExports(ctx: Context): Promise<void> {
  const now = timestamp(ctx.now())
  for (const row of await withFile(ctx).execute())
    if ((JSON.parse(row.file) as ExportFile).expires_at <= now) await removeFile(ctx, row)
  let batch: FilePath[] = []
  const sweep = async () => {
    const exportId = (path: FilePath) => path.at(-1)?.replace(/\.zip$/, '') ?? ''
    const known = batch.length > 0 ? await withFile(ctx).where('id', 'in', batch.map(exportId)).execute() : []
    const kept = new Set(known.map(({ id }) => id))
    await ctx.files.remove(...batch.filter((path) => !kept.has(exportId(path))))
    batch = []
  }
  for await (const { path, changedAt } of ctx.files.list([rootFolder])) {
    if (changedAt < ctx.now() - hour) batch.push(path)
    if (batch.length >= removedAtOnce) await sweep()
  }
  await sweep()
}
