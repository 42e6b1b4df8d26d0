import { Session } from 'node:inspector'

interface MainThreadWork {
  /** The calls of functions in files with this in their path. */
  calls(path: string): number
  /** The characters that were read and written as JSON. */
  json: number
}

/**
 * Counts what the main thread does. Work that does not block others runs in other threads, which are not counted. Unlike
 * times, counts do not depend on how busy the machine is.
 */
export function countMainThread(): { take(): MainThreadWork; stop(): void } {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const { parse, stringify } = JSON
  let json = 0
  const counted = <T>(text: T): T => {
    if (typeof text === 'string') json += text.length
    return text
  }
  JSON.parse = (...args: Parameters<typeof parse>) => parse(counted(args[0]), args[1])
  JSON.stringify = ((...args: Parameters<typeof stringify>) => counted(stringify(...args))) as typeof stringify
  return {
    /** Returns what was done since the last call. */
    take() {
      const files: [url: string, calls: number][] = []
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        for (const { url, functions } of result)
          files.push([url, functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)])
      })
      const calls = (path: string) => files.reduce((sum, [url, count]) => (url.includes(path) ? sum + count : sum), 0)
      const work = { calls, json }
      json = 0
      return work
    },
    stop() {
      Object.assign(JSON, { parse, stringify })
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

export async function mainThreadWork(work: () => Promise<unknown>): Promise<MainThreadWork> {
  const counter = countMainThread()
  try {
    await work()
    return counter.take()
  } finally {
    counter.stop()
  }
}
