import { reportProgress, serve, threadData } from '../src/serve.ts'

const data = threadData()

class DetailedError extends Error {
  readonly code = 'E_SAMPLE'
  readonly pages = 3
}

const released = Promise.withResolvers<void>()

const sleep = new Int32Array(new SharedArrayBuffer(4))

const methods = {
  greet: (name: string) => `${data} ${name}`,
  environment: () => Object.keys(process.env).length,
  async later(ms: number, value: string) {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return value
  },
  untilReleased: () => released.promise,
  release: () => released.resolve(),
  async count(to: number) {
    for (let n = 1; n <= to; n++) {
      reportProgress(n)
      await null
    }
    return to
  },
  block: (ms: number) => void Atomics.wait(sleep, 0, 0, ms),
  spin() {
    reportProgress('spinning')
    for (;;);
  },
  allocateBuffers: (megabytes: number) =>
    Array.from({ length: megabytes }, () => new Uint8Array(1024 ** 2).fill(1)).length,
  allocateHeap: (megabytes: number) =>
    Array.from({ length: megabytes }, () => new Array(1024 ** 2 / 8).fill(1.5)).length,
  crashHard: () => process.kill(process.pid, 'SIGSEGV'),
  fail: () => {
    throw new DetailedError('It went wrong.')
  },
  crash: () => process.exit(1),
  processId: () => process.pid,
  bytes: (count: number) => new Uint8Array(count),
  size: (bytes: Uint8Array) => bytes.length,
}

export type SampleMethods = typeof methods

void serve<SampleMethods>(data === 'broken' ? Promise.reject(new Error('It cannot start.')) : Promise.resolve(methods))
