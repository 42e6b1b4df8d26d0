import { type ChildProcess, fork } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { folderOfTest } from './folder.ts'
import { freePort } from './services/free-port.ts'

const program = fileURLToPath(new URL('./services/s3-server.ts', import.meta.url))

export interface S3 {
  /** The settings of a service that stores its files here. */
  environment: Record<string, string>
  /** The keys of all objects. */
  keys(): string[]
  /** Copies an object next to itself under other names, without a request for each. */
  copy(key: string, names: string[]): void
  stop(): Promise<void>
  start(): Promise<void>
}

/** An S3-compatible server with an empty bucket, which can be stopped and started again. */
export async function startS3(): Promise<S3> {
  const folder = folderOfTest()
  const port = await freePort()
  let server: ChildProcess | undefined
  const start = async () => {
    // Its continuation tokens are encrypted with DES.
    const started = fork(program, [folder, String(port)], { execArgv: ['--openssl-legacy-provider'], stdio: 'ignore' })
    server = started
    await new Promise<void>((resolve, reject) => {
      started.once('message', () => resolve())
      started.once('exit', (code) => reject(new Error(`the S3 server ended with ${code}`)))
    })
  }
  const stop = async () => {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    if (server?.exitCode === null && server.signalCode === null && server.kill('SIGKILL')) await ended
  }
  await start()
  onTestFinished(stop)
  const suffix = '._S3rver_object'
  const bucket = join(folder, 'parley')
  return {
    environment: {
      FILES_URL: 's3://parley/test/files',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    keys: () =>
      existsSync(bucket)
        ? readdirSync(bucket, { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith(suffix))
            .map((name) => name.slice(0, -suffix.length))
        : [],
    copy(key, names) {
      for (const part of ['object', 'object.md5', 'metadata.json'])
        for (const name of names)
          copyFileSync(join(bucket, `${key}._S3rver_${part}`), join(bucket, dirname(key), `${name}._S3rver_${part}`))
    },
    stop,
    start,
  }
}
