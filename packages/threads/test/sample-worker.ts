import { workerData } from 'node:worker_threads'
import { serve } from '../src/serve.ts'

class DetailedError extends Error {
  readonly code = 'E_SAMPLE'
  readonly pages = 3
}

const sleep = new Int32Array(new SharedArrayBuffer(4))

const methods = {
  greet: (name: string) => `${workerData} ${name}`,
  environment: () => Object.keys(process.env).length,
  async later(ms: number, value: string) {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return value
  },
  block: (ms: number) => void Atomics.wait(sleep, 0, 0, ms),
  spin() {
    for (;;);
  },
  allocate: async (megabytes: number) => {
    const blocks: Uint8Array[] = []
    for (let n = 0; n < megabytes; n++) {
      blocks.push(new Uint8Array(1024 ** 2).fill(1))
      if (n % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return blocks.length
  },
  fail: () => {
    throw new DetailedError('It went wrong.')
  },
  crash: () => process.exit(1),
  size: (bytes: Uint8Array) => bytes.length,
}

export type SampleMethods = typeof methods

void serve<SampleMethods>(
  workerData === 'broken' ? Promise.reject(new Error('It cannot start.')) : Promise.resolve(methods),
)
