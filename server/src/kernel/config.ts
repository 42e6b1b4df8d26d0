import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MailSettings, mailSettings } from './mail.ts'
import { type Oidc, oidcSettings } from './oidc-settings.ts'
import { type TelemetrySettings, telemetrySettings } from './telemetry/settings.ts'
import { second } from './time.ts'

export interface Config {
  /** Null for a worker without PORT, which does not listen. */
  port: number | null
  host: string
  dataDir: string
  /** Where uploaded files are stored: the same for all nodes of a cluster. */
  files: FilesLocation
  databaseUrl: string | null
  redisUrl: string | null
  role: 'all' | 'api' | 'worker'
  adminToken: string | null
  secretKey: string | null
  rateLimit: number
  egressAllow: string[]
  directoryRoots: string[]
  oidc: Oidc | null
  /** The origin that people open, such as https://parley.example.com; null: that of the request. */
  publicUrl: string | null
  /** The server that sends invitations; null: nothing is sent. */
  mail: MailSettings | null
  corsOrigins: string[]
  trustProxy: boolean | number | string
  logLevel: string
  conversationIdleMinutes: number
  /** How long a reply may take, in milliseconds. */
  turnTimeout: number
  /** Conversations, deliveries and audit entries are deleted after this many days; null: never. */
  retentionDays: number | null
  demo: boolean
  /** OpenTelemetry; null if it is not configured. */
  telemetry: TelemetrySettings | null
}

type FilesLocation = { type: 'folder'; folder: string } | S3Location

export interface S3Location {
  type: 's3'
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  endpoint: string | null
  region: string | null
  /** Null: the AWS SDK finds them (shared configuration files, the role of the machine or container). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null
}

/** An invalid setting. The process prints only its message and exits. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export function readConfig(environment: Environment): Config {
  const text = (name: string): string | null => environment[name]?.trim() || null
  const list = (name: string): string[] => (text(name) ?? '').split(',').flatMap((item) => item.trim() || [])
  const fail = (name: string, wanted: string): never => {
    throw new ConfigError(`${name} must be ${wanted}, but is "${environment[name]}".`)
  }
  const reject = (line: string): never => {
    throw new ConfigError(line)
  }
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    const number = Number(value)
    return /^\d+$/.test(value) && number >= min && number <= max
      ? number
      : fail(name, `a whole number from ${min} to ${max}`)
  }
  const choice = <T extends string>(name: string, values: readonly T[], fallback: T): T =>
    values.find((value) => value === (text(name) ?? fallback)) ?? fail(name, `one of ${values.join(', ')}`)
  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name)
    if (value !== null && !protocols.includes(URL.canParse(value) ? new URL(value).protocol : '')) {
      // Does not print the value, which may contain a password.
      throw new ConfigError(`${name} must be a URL that starts with ${protocols.join('// or ')}//.`)
    }
    return value
  }

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const role = choice('ROLE', ['all', 'api', 'worker'], 'all')
  if (role !== 'all' && databaseUrl === null) {
    throw new ConfigError(`ROLE=${role} requires DATABASE_URL=postgres://…: with SQLite, one process does everything.`)
  }

  return {
    port: role === 'worker' && text('PORT') === null ? null : integer('PORT', 3000, 0, 65535),
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    files: filesLocation(url('FILES_URL', ['file:', 's3:']), resolve(text('DATA_DIR') ?? 'data', 'files'), () => ({
      endpoint: url('AWS_ENDPOINT_URL_S3', ['http:', 'https:']) ?? url('AWS_ENDPOINT_URL', ['http:', 'https:']),
      region: text('AWS_REGION') ?? text('AWS_DEFAULT_REGION'),
      credentials: awsCredentials(text('AWS_ACCESS_KEY_ID'), text('AWS_SECRET_ACCESS_KEY'), text('AWS_SESSION_TOKEN')),
    })),
    databaseUrl,
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    role,
    adminToken: adminToken(text('ADMIN_TOKEN')),
    secretKey: text('SECRET_KEY'),
    rateLimit: integer('RATE_LIMIT', 100, 0, 1_000_000_000),
    egressAllow: list('EGRESS_ALLOW').map(egressEntry),
    directoryRoots: list('DIRECTORY_ROOTS').map((path) => resolve(path)),
    oidc: oidcSettings({ text, url, integer, choice, fail, reject }),
    publicUrl: publicUrl(text('PUBLIC_URL')),
    mail: mailSettings({ text, url, integer, choice, fail, reject }),
    corsOrigins: list('CORS_ORIGINS').map(origin),
    trustProxy: trustProxy(text('TRUST_PROXY')),
    logLevel: choice('LOG_LEVEL', logLevels, 'info'),
    conversationIdleMinutes: integer('CONVERSATION_IDLE_MINUTES', 60, 1, 525_600),
    turnTimeout: integer('TURN_TIMEOUT_SECONDS', 600, 1, 86_400) * second,
    retentionDays: text('RETENTION_DAYS') === null ? null : integer('RETENTION_DAYS', 1, 1, 36_500),
    demo: choice('DEMO', ['true', 'false'], 'true') === 'true',
    telemetry: telemetrySettings({ text, url, integer, choice, fail, reject }),
  }
}

type AwsSettings = Pick<S3Location, 'endpoint' | 'region' | 'credentials'>

function filesLocation(value: string | null, fallback: string, aws: () => AwsSettings): FilesLocation {
  if (value === null) return { type: 'folder', folder: fallback }
  if (new URL(value).protocol === 's3:') return { type: 's3', ...bucketAndPrefix(new URL(value)), ...aws() }
  try {
    return { type: 'folder', folder: fileURLToPath(value) }
  } catch {
    throw new ConfigError(
      `FILES_URL must name a folder of this machine, such as file:///srv/parley, but is "${value}".`,
    )
  }
}

function bucketAndPrefix({ host: bucket, pathname, username, password, search, hash }: URL) {
  const folders = pathname.split('/').filter((folder) => folder !== '')
  const isPlain = [username, password, search, hash].every((part) => part === '')
  if (!isPlain || !/^[\w.-]{3,63}$/.test(bucket) || !folders.every((folder) => /^[\w.-]+$/.test(folder))) {
    // Does not print the value, which may contain credentials.
    throw new ConfigError(
      'FILES_URL must be s3://bucket or s3://bucket/prefix, of letters, digits, ".", "_" and "-". The endpoint and the credentials are set by AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  }
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join('') }
}

function awsCredentials(id: string | null, secret: string | null, session: string | null): S3Location['credentials'] {
  if (id === null && secret === null) return null
  if (id === null || secret === null) {
    throw new ConfigError('Set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither.')
  }
  return { accessKeyId: id, secretAccessKey: secret, ...(session !== null && { sessionToken: session }) }
}

function adminToken(value: string | null): string | null {
  if (value !== null && !/^[\x21-\x7e]+$/.test(value)) {
    throw new ConfigError(
      'ADMIN_TOKEN must be printable ASCII characters without spaces, because it is sent in a header.',
    )
  }
  return value
}

function publicUrl(value: string | null): string | null {
  if (value === null) return null
  const { origin, protocol } = URL.canParse(value) ? new URL(value) : { origin: '', protocol: '' }
  if (!['http:', 'https:'].includes(protocol) || value.replace(/\/$/, '').toLowerCase() !== origin) {
    throw new ConfigError(
      `PUBLIC_URL must be the address that people open, without a path, such as https://parley.example.com, but is "${value}".`,
    )
  }
  return origin
}

function origin(value: string): string {
  if (value !== '*' && (!URL.canParse(value) || new URL(value).origin !== value)) {
    throw new ConfigError(
      `CORS_ORIGINS must be origins such as https://app.example.com, separated by commas, but has "${value}".`,
    )
  }
  return value
}

function egressEntry(value: string): string {
  const [address, bits, ...rest] = value.split('/') as [string, string?, ...string[]]
  const size = isIP(address) === 6 ? 128 : 32
  const isRange = bits !== undefined && isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= size
  const [, bracketed, host, port = '1'] = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d+))?$/.exec(address) ?? []
  const isPlace = isIP(bracketed ?? '') === 6 || isIP(host ?? '') === 4 || isName(host ?? '')
  const isHost = bits === undefined && (isIP(address) !== 0 || (isPlace && Number(port) >= 1 && Number(port) <= 65_535))
  if (rest.length > 0 || !(isRange || isHost)) {
    throw new ConfigError(
      `EGRESS_ALLOW must be host names, whole addresses such as 10.1.2.3 or ranges such as 10.0.0.0/8, but has "${value}".`,
    )
  }
  return value.toLowerCase()
}

/** A host that ends in a number is an IPv4 address in another notation, which would never match. */
const isName = (host: string): boolean =>
  /^(\*\.)?[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(host) &&
  !host.includes('..') &&
  !/(^|\.)(\d+|0x[0-9a-f]*)$/i.test(host)

function trustProxy(value: string | null): Config['trustProxy'] {
  if (value === null || value === 'false') return false
  if (value === 'true') return true
  if (/^\d+$/.test(value)) return Number(value)
  const addresses = value.split(',').map((item) => item.trim().split('/')[0] ?? '')
  if (addresses.every((address) => isIP(address) !== 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(address)))
    return value
  throw new ConfigError(`TRUST_PROXY must be true, false, a number of proxies or their addresses, but is "${value}".`)
}
