import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../kernel/config.ts'
import { createSecrets, readKey, type Secrets } from '../kernel/secrets/secrets.ts'
import type { Db } from '../kernel/store/database.ts'
import { opensWith } from '../kernel/store/key-check.ts'

export interface BothSecrets {
  source: Secrets
  target: Secrets
}

interface Keys {
  dataDir: string
  sourceKey: string | null
  targetKey: string | null
}

/** Finds the key of the data folder: the given one, the one in the folder, or that of the cluster. */
export async function openSecrets(db: Db, { dataDir, sourceKey, targetKey }: Keys): Promise<BothSecrets> {
  const inFolder = existsSync(join(dataDir, 'secret-key')) ? [null] : []
  const candidates = [
    ...(sourceKey === null ? [] : [sourceKey]),
    ...inFolder,
    ...(targetKey === null ? [] : [targetKey]),
  ]
  for (const candidate of candidates) {
    const key = readKey({ secretKey: candidate, dataDir })
    const source = createSecrets(key)
    if (!(await opensWith(db, source))) continue
    return { source, target: targetKey === null ? source : createSecrets(readKey({ secretKey: targetKey, dataDir })) }
  }
  throw new ConfigError(
    `The secrets in ${dataDir} were encrypted with another key. Set FROM_SECRET_KEY to the SECRET_KEY that its process had.`,
  )
}
