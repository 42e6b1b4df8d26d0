import { createHash } from 'node:crypto'
import { type Access, maySee } from '../../kernel/access.ts'
import type { Caller } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { nobody } from './access/rules.ts'
import type { TextDocument } from './schema.ts'
import type { SourceRow } from './store.ts'

/** A document of a `text` source. `key` identifies it in its source. */
interface StoredText {
  key: string
  text: TextDocument
}

const inSource = (db: Db, workspace: string, sourceId: string) =>
  db
    .selectFrom('knowledge_given_text as stored')
    .where('stored.workspace_id', '=', workspace)
    .where('stored.knowledge_source_id', '=', sourceId)
    .orderBy('position')

/** The documents of a `text` source in the order in which they were given. */
export async function findTexts(db: Db, workspace: string, sourceId: string): Promise<StoredText[]> {
  const rows = await inSource(db, workspace, sourceId).select(['key', 'document']).execute()
  return rows.map(({ key, document }) => ({ key, text: JSON.parse(document) as TextDocument }))
}

export async function findText(
  db: Db,
  workspace: string,
  sourceId: string,
  key: string,
): Promise<TextDocument | undefined> {
  const row = await inSource(db, workspace, sourceId).select('document').where('key', '=', key).executeTakeFirst()
  return row && (JSON.parse(row.document) as TextDocument)
}

/** The source with its documents in the configuration, without those that the caller may not see. */
export async function withTexts(db: Db, who: Caller, source: SourceRow): Promise<SourceRow> {
  const { documents_hash, ...configuration } = source.configuration
  if (documents_hash === undefined) return source
  const rows = await inSource(db, who.workspace, source.id)
    .leftJoin('knowledge_document as indexed', (join) =>
      join
        .onRef('indexed.knowledge_source_id', '=', 'stored.knowledge_source_id')
        .onRef('indexed.key', '=', 'stored.key'),
    )
    .select(['stored.document', 'indexed.access'])
    .execute()
  const unread = JSON.stringify(source.access_rules.length > 0 ? nobody : null)
  const seen = rows.filter(({ access }) => maySee(who, JSON.parse(access ?? unread) as Access | null))
  const documents = seen.map(({ document }) => JSON.parse(document) as TextDocument)
  return { ...source, configuration: { ...configuration, documents } }
}

/** The hash that replaces the documents in the stored configuration, so that a change of them changes the source. */
export const hashTexts = (texts: readonly TextDocument[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')

const batchSize = 500

export async function replaceTexts(
  tx: Db,
  workspace: string,
  sourceId: string,
  texts: readonly TextDocument[],
): Promise<void> {
  const before = tx.deleteFrom('knowledge_given_text').where('workspace_id', '=', workspace)
  await before.where('knowledge_source_id', '=', sourceId).execute()
  const rows = withKeys(texts).map(({ key, text }, position) => ({
    workspace_id: workspace,
    knowledge_source_id: sourceId,
    position,
    key,
    document: JSON.stringify(text),
  }))
  for (let start = 0; start < rows.length; start += batchSize) {
    await tx
      .insertInto('knowledge_given_text')
      .values(rows.slice(start, start + batchSize))
      .execute()
  }
}

/** Titles may repeat, so repeated ones are numbered. */
function withKeys(texts: readonly TextDocument[]): StoredText[] {
  const repeats = new Map<string, number>()
  return texts.map((text) => {
    const repeat = (repeats.get(text.title) ?? 0) + 1
    repeats.set(text.title, repeat)
    return { key: repeat === 1 ? text.title : `${text.title}\n${repeat}`, text }
  })
}

/** The caller has locked the source. */
export async function removeText(tx: Db, workspace: string, source: SourceRow, key: string): Promise<void> {
  await tx
    .deleteFrom('knowledge_given_text')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source.id)
    .where('key', '=', key)
    .execute()
  await rehash(tx, workspace, source)
}

/** The caller has locked the source. */
export async function setTextMetadata(
  tx: Db,
  workspace: string,
  source: SourceRow,
  key: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const text = await findText(tx, workspace, source.id, key)
  await tx
    .updateTable('knowledge_given_text')
    .set({ document: JSON.stringify({ ...text, metadata }) })
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source.id)
    .where('key', '=', key)
    .execute()
  await rehash(tx, workspace, source)
}

async function rehash(tx: Db, workspace: string, source: SourceRow): Promise<void> {
  const texts = await findTexts(tx, workspace, source.id)
  const configuration = { ...source.configuration, documents_hash: hashTexts(texts.map(({ text }) => text)) }
  await tx
    .updateTable('knowledge_source')
    .set({ configuration: JSON.stringify(configuration), revision: source.revision + 1 })
    .where('workspace_id', '=', workspace)
    .where('id', '=', source.id)
    .execute()
}
