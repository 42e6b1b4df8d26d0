import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { folderOfTest } from './folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const loader = fileURLToPath(new URL('native-loader.ts', import.meta.url))

/** The installed packages with native code that are not only for development. */
function nativeDependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const owners = globSync('node_modules/**/*.node', { cwd: root }).map((file) => {
    const [name = '', rest = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)(.*)/.exec(file)?.slice(1) ?? []
    expect(rest, 'a nested package is not loaded by its name').not.toContain('/node_modules/')
    return name
  })
  const isUsed = (name: string) =>
    !packages[`node_modules/${name}`].dev && !packages[`node_modules/${name}`].devOptional
  return [...new Set(owners)].filter(isUsed)
}

/** A network namespace of its own has no network. Not every machine allows one. */
function withoutNetwork(): string[] {
  const isolated = ['unshare', '--map-root-user', '--net']
  try {
    execFileSync(isolated[0] as string, [...isolated.slice(1), 'true'], { stdio: 'ignore' })
    return isolated
  } catch {
    return []
  }
}

/** Network sockets, and files that are open for writing. */
function openedBy(pid: number): string[] {
  const network = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'].map((name) => readOr(`/proc/${pid}/net/${name}`)).join()
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
    const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? []
    if (inode !== undefined) return network.includes(` ${inode} `) ? [target] : []
    const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(readOr(`/proc/${pid}/fdinfo/${fd}`))?.[1] ?? '0', 8)
    const isWritten = target.startsWith('/') && !target.startsWith('/dev/') && (flags & 3) !== 0
    return isWritten ? [target] : []
  })
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // a machine without IPv6, or a file that has just been closed
  }
}

it.runIf(process.platform === 'linux')('native dependencies write no files and open no sockets', async () => {
  const names = nativeDependencies()
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'onnxruntime-node']))
  const folder = folderOfTest()
  const home = join(folder, 'home')
  mkdirSync(home)
  const [program = '', ...args] = [...withoutNetwork(), process.execPath, loader, ...names]
  // The home folder is empty, so that nothing is found there and what is written to it is seen.
  const child = spawn(program, args, {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  expect(String(output)).toBe('loaded\n')
  const opened = openedBy(child.pid as number)
  child.stdin.end()
  await once(child, 'exit')
  expect({ opened, files: readdirSync(folder, { recursive: true }) }).toEqual({ opened: [], files: ['home'] })
})
