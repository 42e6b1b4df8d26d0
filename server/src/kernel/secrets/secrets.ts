import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { prepareFolder } from '../data-folder.ts'

/**
 * Encryption at rest (AES-256-GCM). `context` names the field that holds the secret (workspace, table, row, field): a
 * sealed text that is copied to another field cannot be opened there.
 */
export interface Secrets {
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string
  /** A keyed hash: the same text has the same hash, which tells nothing about the text without the key. */
  hash(plain: string, context: string): string
}

const version = 'v1'
const ivBytes = 12
const tagBytes = 16

export function createSecrets(key: Buffer): Secrets {
  const hashKey = createHmac('sha256', key).update('parley hashes').digest()
  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
    hash: (plain, context) => createHmac('sha256', hashKey).update(`${context}\0${plain}`).digest('hex'),
  }
}

/** The key from SECRET_KEY (32 bytes in hex or base64, or any text, which is stretched) or from a file in the data folder. */
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

/** A fast hash is enough for 32 random bytes, which cannot be guessed. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')
