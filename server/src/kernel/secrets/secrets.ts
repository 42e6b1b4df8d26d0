import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { prepareFolder } from '../store/open-store.ts'

/**
 * Encryption at rest (AES-256-GCM). `place` says where the secret belongs (workspace, table, row, field): text
 * that was copied to another place does not open there.
 */
export interface Secrets {
  seal(plain: string, place: string): string
  open(sealed: string, place: string): string
}

const version = 'v1'
const ivBytes = 12
const tagBytes = 16

export function createSecrets(key: Buffer): Secrets {
  return {
    seal(plain, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
  }
}

/** The key: 32 bytes in hex or base64 as they are, any other text stretched; without SECRET_KEY, a file of ours. */
export function readKey(settings: { secretKey: string | null; dataDir: string }): Buffer {
  return keyFromText(settings.secretKey ?? keyFromFile(settings.dataDir))
}

function keyFromText(text: string): Buffer {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : /^[\w+/-]{43}=?$/.test(text) ? 'base64' : null
  return encoding ? Buffer.from(text, encoding) : scryptSync(text, 'parley secrets', 32)
}

function keyFromFile(dataDir: string): string {
  const file = join(dataDir, 'secret-key')
  if (!existsSync(file)) {
    prepareFolder(dataDir)
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

export const wrongKey = (): never => {
  throw new ConfigError(
    'The secrets in this database were encrypted with another key. Set SECRET_KEY to the one they were written with, the same on every node.',
  )
}
