import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/database.ts'
import type { TestCase } from '../schema.ts'

interface CaseCells {
  workspace_id: string
  evaluation_id: string
  /** Cases that a run uses are not changed: a change creates a new version. */
  version: number
  position: number
  /** Identifies the same case in two runs. */
  fingerprint: string
  input: string
  expected_output: string | null
  metadata: string
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    evaluation_case: CaseCells
  }
}

export interface StoredCase {
  position: number
  input: string
  expected_output: string | null
  metadata: Record<string, unknown>
}

export interface CaseSet {
  workspace: string
  evaluation: string
  version: number
}

const batchSize = 500

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

export const emptyDigest = hash('')

/** A hash of a list of cases. It is chained, so that cases can be appended without reading the others. */
export const digestCases = (cases: TestCase[], before = emptyDigest): string =>
  cases.reduce(
    (digest, { input, expected_output, metadata }) =>
      hash(`${digest} ${JSON.stringify([input, expected_output ?? null, metadata ?? {}])}`),
    before,
  )

export const fingerprint = ({ input, expected_output }: Pick<TestCase, 'input' | 'expected_output'>): string =>
  hash(JSON.stringify([input, expected_output ?? null])).slice(0, 32)

export async function insertCases(tx: Db, set: CaseSet, cases: TestCase[], first = 0): Promise<void> {
  for (let start = 0; start < cases.length; start += batchSize) {
    const rows = cases.slice(start, start + batchSize).map((each, index) => ({
      workspace_id: set.workspace,
      evaluation_id: set.evaluation,
      version: set.version,
      position: first + start + index,
      fingerprint: fingerprint(each),
      input: each.input,
      expected_output: each.expected_output ?? null,
      metadata: JSON.stringify(each.metadata ?? {}),
    }))
    await tx.insertInto('evaluation_case').values(rows).execute()
  }
}

/** Copies the cases to another version. */
export async function copyCases(tx: Db, from: CaseSet, version: number): Promise<void> {
  const copied = [
    'workspace_id',
    'evaluation_id',
    'position',
    'fingerprint',
    'input',
    'expected_output',
    'metadata',
  ] as const
  await tx
    .insertInto('evaluation_case')
    .columns(['version', ...copied])
    .expression(casesIn(tx, from).select([sql<number>`cast(${version} as integer)`.as('version'), ...copied]))
    .execute()
}

export const isUsed = async (tx: Db, set: CaseSet): Promise<boolean> =>
  (await tx
    .selectFrom('evaluation_run')
    .select('id')
    .where('workspace_id', '=', set.workspace)
    .where('evaluation_id', '=', set.evaluation)
    .where('cases_version', '=', set.version)
    .limit(1)
    .executeTakeFirst()) !== undefined

export async function deleteCases(tx: Db, set: CaseSet): Promise<void> {
  await tx
    .deleteFrom('evaluation_case')
    .where('workspace_id', '=', set.workspace)
    .where('evaluation_id', '=', set.evaluation)
    .where('version', '=', set.version)
    .execute()
}

const casesIn = (db: Db, set: CaseSet) =>
  db
    .selectFrom('evaluation_case')
    .where('workspace_id', '=', set.workspace)
    .where('evaluation_id', '=', set.evaluation)
    .where('version', '=', set.version)

const columns = ['position', 'input', 'expected_output', 'metadata'] as const

const decode = (row: Pick<CaseCells, (typeof columns)[number]>): StoredCase => ({
  ...row,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
})

export async function allCases(db: Db, set: CaseSet): Promise<StoredCase[]> {
  const rows = await casesIn(db, set).select(columns).orderBy('position').execute()
  return rows.map(decode)
}

export async function findCase(db: Db, set: CaseSet, position: number): Promise<StoredCase | undefined> {
  const row = await casesIn(db, set).select(columns).where('position', '=', position).executeTakeFirst()
  return row && decode(row)
}
