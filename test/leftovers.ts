import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedPorts } from '../server/test/shared-ports.ts'

/** The folders of the services and of the browser that all tests of a process share. */
const sharedFolder = /^(parley-shared-|playwright)/
/** Processes that read documents for a service, and end with it; the browser. */
const sharedProcess = /threads\/src\/thread-start\.js|--remote-debugging-pipe/
const maxCommandLength = 200

export interface Resources {
  processes: string[]
  ports: number
  files: string[]
}

/** Temporary files of this worker go to a folder of its own, where leftovers are seen. */
export function useOwnTemporaryFolder(): void {
  const folder = join(process.env.PARLEY_TEST_FOLDER ?? '', `worker-${process.env.VITEST_POOL_ID}`)
  mkdirSync(folder, { recursive: true, mode: 0o711 }) // Postgres runs as another user
  process.env.TMPDIR = folder
}

export const currentResources = (): Resources => ({
  processes: childProcesses(),
  ports: openPorts(),
  files: readdirSync(process.env.TMPDIR ?? '').filter((name) => !sharedFolder.test(name)),
})

/** The descriptions of what is there now and was not there before. */
export function leftovers(before: Resources): string[] {
  const now = currentResources()
  const added = (one: string[], other: string[]) => one.filter((each) => !other.includes(each))
  return [
    ...added(now.processes, before.processes).map((each) => `the process ${each.slice(0, maxCommandLength)}`),
    ...added(now.files, before.files).map((each) => `the file ${join(process.env.TMPDIR ?? '', each)}`),
    ...(now.ports > before.ports ? [`${now.ports - before.ports} open ports`] : []),
  ]
}

/** The servers in this process that listen, without those that all tests share. */
const openPorts = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length - sharedPorts()

/** Linux lists the children of each thread. */
function childProcesses(): string[] {
  const tasks = `/proc/${process.pid}/task`
  if (!existsSync(tasks)) return []
  return readdirSync(tasks)
    .flatMap((task) =>
      read(join(tasks, task, 'children'))
        .trim()
        .split(' '),
    )
    .filter((pid) => pid !== '')
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`)
    .filter((process) => process.includes(' ') && !sharedProcess.test(process))
}

/** Threads and processes end while this looks at them. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
