import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** At the end of a run, looks for processes of tests that have outlived their parents. They know the folder of the run. */
export default function setup(): () => void {
  return () => {
    const orphans = findOrphans(process.env.PARLEY_TEST_FOLDER ?? '')
    if (orphans.length > 0) throw new Error(`The tests have left behind processes: ${orphans.join(', ')}`)
  }
}

/** On Linux only, where processes can be looked at. */
function findOrphans(runFolder: string): string[] {
  if (!existsSync('/proc')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .filter((pid) => read(pid, 'environ').includes(runFolder) && !isDescendant(pid))
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 200)}`)
}

function isDescendant(pid: string): boolean {
  for (let at = pid; at !== '' && at !== '1'; at = parent(at)) if (Number(at) === process.pid) return true
  return false
}

/** The second field after the name, which is in parentheses. */
const parent = (pid: string): string => read(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ')[1] ?? ''

/** Empty for a process that has ended or belongs to somebody else. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
