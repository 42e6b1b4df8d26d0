import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import { ConfigError, type S3Location } from '../config.ts'
import { Problem } from '../errors.ts'
import { type Clock, second } from '../time.ts'
import { FileMissing, type FilePath, type Files, type ReceivedFile, type StoredFile } from './files.ts'
import { checked } from './paths.ts'
import { explain, isTransient } from './s3-errors.ts'
import { Slots } from './slots.ts'
import { openSpool } from './spool.ts'

const attempts = 3
/** More downloads than the parser reads at once, so that it need not wait, but few enough to fit on a small disk. */
const maxLocalCopies = 4
const parallelDeletes = 16

/** Files in a bucket of Amazon S3 or of a compatible store. They pass through a folder of the local disk in both directions. */
export async function openS3(location: S3Location, dataDir: string, log: Logger, now: Clock): Promise<Files> {
  const { bucket: Bucket, prefix } = location
  const client = createClient(location)
  const spool = openSpool(join(dataDir, 'incoming'), now)
  const copies = new Slots(maxLocalCopies)
  const objectKey = (path: FilePath): string => prefix + checked(path).join('/')

  /** Logs the cause and returns an error without it. Error objects are not logged, because they contain key IDs. */
  const toProblem = (error: unknown): unknown => {
    if (error instanceof Problem || error instanceof FileMissing) return error
    if (error instanceof NoSuchKey) return new FileMissing('The stored file is missing.')
    log.warn({ bucket: Bucket, error: explain(error, location) }, 'the store of files failed')
    return new Problem('overloaded', 'The store of files does not respond as it should. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
  const attempt = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw toProblem(error)
    })

  async function* list(folder: FilePath, startingWith = ''): AsyncGenerator<StoredFile> {
    const Prefix =
      prefix +
      checked(folder)
        .map((name) => `${name}/`)
        .join('') +
      startingWith
    let ContinuationToken: string | undefined
    do {
      const page = await attempt(client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })))
      for (const { Key = '', LastModified } of page.Contents ?? [])
        yield { path: Key.slice(prefix.length).split('/'), changedAt: LastModified?.getTime() ?? now() }
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
  }

  async function read(path: FilePath): Promise<AsyncIterable<Uint8Array>> {
    const { Body } = await attempt(client.send(new GetObjectCommand({ Bucket, Key: objectKey(path) })))
    return withProblems(Body as AsyncIterable<Uint8Array>, toProblem)
  }

  async function put(file: ReceivedFile, path: FilePath): Promise<void> {
    const Body = createReadStream(file.path)
    try {
      await client.send(new PutObjectCommand({ Bucket, Key: objectKey(path), Body, ContentLength: file.size }))
    } finally {
      Body.destroy()
    }
  }

  async function remove(...paths: FilePath[]): Promise<void> {
    for (let from = 0; from < paths.length; from += parallelDeletes) {
      const batch = paths.slice(from, from + parallelDeletes)
      await Promise.all(
        batch.map((path) => attempt(client.send(new DeleteObjectCommand({ Bucket, Key: objectKey(path) })))),
      )
    }
  }
  const ping = () => client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))

  await ping().catch((error) => {
    client.destroy()
    throw new ConfigError(`FILES_URL cannot be used: ${explain(error, location)}`)
  })
  await spool.sweepDead()
  return {
    engine: 's3',
    ...spool,
    async keep(file, path) {
      // The SDK does not repeat requests with a stream.
      for (let failures = 1; ; failures++) {
        try {
          return await put(file, path)
        } catch (error) {
          if (failures === attempts || !isTransient(error)) throw toProblem(error)
          await wait(failures * 200)
        }
      }
    },
    read,
    withLocal: (path, use) =>
      copies.use(path[0] ?? '', async () => {
        const file = await spool.receive(await read(path), Number.POSITIVE_INFINITY, { temporary: true })
        try {
          return await use(file.path)
        } finally {
          await spool.discard(file)
        }
      }),
    remove,
    async removeAll(folder) {
      const paths: FilePath[] = []
      for await (const { path } of list(folder)) paths.push(path)
      await remove(...paths)
    },
    list,
    ping: async () => void (await ping()),
    close: () => client.destroy(),
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function createClient({ endpoint, region, credentials }: S3Location): S3Client {
  return new S3Client({
    ...(endpoint !== null && { endpoint, forcePathStyle: true }), // most stores have no host name per bucket
    ...(region !== null ? { region } : endpoint !== null && { region: 'us-east-1' }), // other stores ignore it
    ...(credentials !== null && { credentials }),
    maxAttempts: attempts,
    // Many compatible stores do not know the checksums that the SDK would add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent, // it would write to the console
    requestHandler: { connectionTimeout: 5 * second, socketTimeout: 30 * second },
  })
}

async function* withProblems(content: AsyncIterable<Uint8Array>, toProblem: (error: unknown) => unknown) {
  try {
    yield* content
  } catch (error) {
    throw toProblem(error)
  }
}
