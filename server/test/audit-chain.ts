import { expect } from 'vitest'
import { type Json, startService, type Workspace } from './harness.ts'

export type Verifying = Pick<Workspace, 'get'>

export const verify = async ({ get }: Verifying, query = '') => (await get(`/audit/verify${query}`)).body.data as Json

export const listEntries = async ({ get }: Verifying): Promise<Json[]> =>
  (await get('/audit?sort=sequence&order=asc&limit=100')).body.data

/** A workspace with seven sealed entries: its token and six agents. */
export async function withEntries() {
  const here = await startService()
  for (let n = 1; n <= 6; n++) await here.post('/agents', { name: `Agent ${n}` })
  const before = await verify(here)
  expect(before).toMatchObject({ valid: true, entries: 7, unsealed: 0, problems: [], anchor: null, noted_head: null })
  expect(before.head.sequence).toBe(7)
  const { db } = here.ctx
  const entry = (sequence: number) =>
    db.updateTable('audit_entry').where('workspace_id', '=', here.workspace).where('sequence', '=', sequence)
  const remove = (sequence: number) =>
    db.deleteFrom('audit_entry').where('workspace_id', '=', here.workspace).where('sequence', '=', sequence).execute()
  const problems = async () => {
    const { valid, problems } = await verify(here)
    expect(valid).toBe(problems.length === 0)
    return problems.map(({ sequence, problem }: Json) => [sequence, problem])
  }
  return { ...here, before, entry, remove, problems }
}
