import { cpSync } from 'node:fs'
import { folderOfTest } from './folder.ts'
import type { Service } from './harness.ts'

/** The environment with a copy of the data folder as a crash at this moment would leave it. */
export async function asAfterCrash(
  { ctx, environment }: Pick<Service, 'ctx' | 'environment'>,
  transaction = () => ctx.db.transaction(),
): Promise<Record<string, string>> {
  const folder = folderOfTest()
  // Nobody else writes during a transaction, so the files of the database fit each other.
  await transaction().execute(async () => cpSync(environment.DATA_DIR ?? '', folder, { recursive: true }))
  return { ...environment, DATA_DIR: folder }
}
