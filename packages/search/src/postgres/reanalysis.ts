import type { Pool } from 'pg'
import { type AnalysedText, analysisVersion } from '../analysis/analyse.ts'
import { countLanguage } from '../analysis/languages.ts'
import { analyse, inLanguages } from '../preparation.ts'
import type { IndexName } from '../search-index.ts'
import { forEachYielding } from '../yielding.ts'
import { insertWords } from './changes.ts'
import { type Queryable, rows, transaction } from './database.ts'
import { type IndexRow, lockIndex, saveIndex } from './indexes.ts'
import { type PassageRow, toChunk } from './passages.ts'

const batchSize = 500

/** Computes the words of an index again if older rules made them. Searches find the old ones until all are new. */
export const reanalyse = (pool: Pool, name: IndexName, isClosed: () => boolean): Promise<void> =>
  transaction(pool, 'write', async (tx) => {
    const row = await lockIndex(tx, name)
    if (!row || row.analysis >= analysisVersion) return
    await tx.query('delete from passage_words where passage_id in (select id from passage where index_id = $1)', [
      row.id,
    ])
    const counted: IndexRow = { ...row, analysis: analysisVersion, totalLength: 0, languageCounts: [] }
    for await (const passages of batches(tx, row)) {
      if (isClosed()) throw new Error('The search is closed.')
      const chunks = passages.map(toChunk)
      const own: AnalysedText[] = []
      await forEachYielding(chunks, (chunk) => void own.push(analyse(chunk)))
      const analysed = await inLanguages(chunks, own, [...counted.languageCounts])
      for (const { length, language } of analysed) {
        counted.totalLength += length
        countLanguage(counted.languageCounts, language)
      }
      const ids = passages.map(({ id }) => id)
      await insertWords(tx, row, ids, analysed, () => {})
      await tx.query(
        `update passage set language = a.language, length = a.length
         from unnest($1::bigint[], $2::int[], $3::int[]) as a(id, language, length) where passage.id = a.id`,
        [ids, analysed.map((text) => text.language), analysed.map(({ length }) => length)],
      )
    }
    await tx.query('delete from passage_key where index_id = $1', [row.id])
    await tx.query(
      `insert into passage_key (index_id, key, frequency)
       select $1, key, count(*) from passage_words, unnest(keys) as key where index_id = $1 group by key`,
      [row.id],
    )
    await saveIndex(tx, counted)
  })

async function* batches(tx: Queryable, { id }: IndexRow): AsyncGenerator<PassageRow[]> {
  for (let after = '0'; ; ) {
    const found = await rows<PassageRow>(
      tx,
      `select id::text, chunk_id as "chunkId", document_id as "documentId", language, body from passage
       where index_id = $1 and id > $2 order by id limit $3`,
      [id, after, batchSize],
    )
    const last = found.at(-1)
    if (!last) return
    yield found
    after = last.id
  }
}
