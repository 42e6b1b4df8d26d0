import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/database.ts'
import type { TestCase } from '../schema.ts'

interface CaseCells {
  workspace_id: string
  evaluation_id: string
  /** Cases that a run has been made with stay as they are: a change of them is a new version. */
  version: number
  position: number
  /** Says which cases of two runs are the same. */
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

const rowsAtOnce = 500

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

export const emptyDigest = hash('')

/** What a list of cases is, in short. Goes on from the digest of the cases before, so that adding needs no reading. */
export const digestOf = (cases: TestCase[], before = emptyDigest): string =>
  cases.reduce(
    (digest, { input, expected_output, metadata }) =>
      hash(`${digest} ${JSON.stringify([input, expected_output ?? null, metadata ?? {}])}`),
    before,
  )

export async function insertCases(tx: Db, set: CaseSet, cases: TestCase[], first = 0): Promise<void> {
  for (let start = 0; start < cases.length; start += rowsAtOnce) {
    const rows = cases.slice(start, start + rowsAtOnce).map((each, index) => ({
      workspace_id: set.workspace,
      evaluation_id: set.evaluation,
      version: set.version,
      position: first + start + index,
      fingerprint: hash(JSON.stringify([each.input, each.expected_output ?? null])).slice(0, 32),
      input: each.input,
      expected_output: each.expected_output ?? null,
      metadata: JSON.stringify(each.metadata ?? {}),
    }))
    await tx.insertInto('evaluation_case').values(rows).execute()
  }
}

/** The same cases once more, as the beginning of another version. */
export async function copyCases(tx: Db, from: CaseSet, version: number): Promise<void> {
  const columns = [
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
    .columns(['version', ...columns])
    .expression(ofSet(tx, from).select([sql<number>`cast(${version} as integer)`.as('version'), ...columns]))
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

export async function dropCases(tx: Db, set: CaseSet): Promise<void> {
  await tx
    .deleteFrom('evaluation_case')
    .where('workspace_id', '=', set.workspace)
    .where('evaluation_id', '=', set.evaluation)
    .where('version', '=', set.version)
    .execute()
}

const ofSet = (db: Db, set: CaseSet) =>
  db
    .selectFrom('evaluation_case')
    .where('workspace_id', '=', set.workspace)
    .where('evaluation_id', '=', set.evaluation)
    .where('version', '=', set.version)

const shown = ['position', 'input', 'expected_output', 'metadata'] as const

const decode = (row: Pick<CaseCells, (typeof shown)[number]>): StoredCase => ({
  ...row,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
})

export async function allCases(db: Db, set: CaseSet): Promise<StoredCase[]> {
  const rows = await ofSet(db, set).select(shown).orderBy('position').execute()
  return rows.map(decode)
}

export async function findCase(db: Db, set: CaseSet, position: number): Promise<StoredCase | undefined> {
  const row = await ofSet(db, set).select(shown).where('position', '=', position).executeTakeFirst()
  return row && decode(row)
}
