import type { Executor, ExecutorEvents, ExecutorOptions } from './executor.ts'
import { startThread } from './start-thread.ts'

const exitGraceMs = 500

export function startWorker(module: URL, options: ExecutorOptions, events: ExecutorEvents): Executor {
  const worker = startThread(module, {
    workerData: options.workerData,
    ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
    ...(options.isolated && { env: {}, execArgv: [], stdout: true, stderr: true }),
  })
  if (options.isolated) {
    worker.stdout.resume()
    worker.stderr.resume()
  }
  worker.on('message', events.onMessage)
  worker.on('error', (cause) => {
    if ('code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') events.onOutOfMemory()
    else events.onError(cause)
  })
  worker.once('exit', (code) => events.onExit(`with code ${code}`))
  return {
    send: (request, transfer) => worker.postMessage(request, [...transfer]),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => void worker.terminate(),
    // Node aborts the whole process if a thread is terminated while it sets up a zlib stream.
    exitGraceMs,
    async cpuSeconds() {
      const { user, system } = await worker.cpuUsage()
      return (user + system) / 1e6
    },
    async memoryMb() {
      const { total_heap_size, external_memory } = await worker.getHeapStatistics()
      return (total_heap_size + external_memory) / 1024 ** 2
    },
  }
}
