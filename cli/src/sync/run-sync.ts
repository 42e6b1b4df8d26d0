import { setTimeout as delay } from 'node:timers/promises'
import { isParleyError, type Parley, type Schemas } from '../client.ts'
import type { Progress } from '../progress.ts'

type SyncRecord = Schemas['KnowledgeSync']

const minPoll = 200
const maxPoll = 2000

/** Starts a sync, or joins the one that is running, and follows it to its end. */
export async function runSync({ knowledgeSources }: Parley, source: string, progress: Progress): Promise<SyncRecord> {
  let record = await knowledgeSources.sync(source).catch(async (error: unknown) => {
    if (!isParleyError(error, 'already_running')) throw error
    const [newest] = (await knowledgeSources.syncs(source, { limit: 1 })).data
    if (newest === undefined) throw error
    return newest as SyncRecord
  })
  // The default rate limit of a token is 100 requests a minute.
  for (let wait = minPoll; record.status === 'running'; wait = Math.min(maxPoll, wait * 1.5)) {
    const { total, added, updated, unchanged, failed } = record.documents
    progress.show('Reading', added + updated + unchanged + failed, total)
    await delay(wait)
    record = await knowledgeSources.syncRecord(source, record.id)
  }
  return record
}
