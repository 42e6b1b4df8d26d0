import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'console')
export const consoleFiles = join(folder, 'dist')
const stamp = join(consoleFiles, 'stamp')
const lock = join(folder, '.dist-lock')

const sources = [
  'package-lock.json',
  'console/{index.html,package.json,vite.config.ts,build.ts}',
  'console/{src,public}/**/*.*',
  'client/src/**/*.ts',
]

/** A hash of all sources. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function isBuilt(hash: string): boolean {
  try {
    return readFileSync(stamp, 'utf8') === hash
  } catch {
    return false
  }
}

/** Builds the console if its sources have changed. Returns whether it did. A container image has no sources, only the result. */
export async function buildConsole(): Promise<boolean> {
  if (!existsSync(join(folder, 'src'))) return false
  const hash = fingerprint()
  if (isBuilt(hash)) return false
  const release = await acquireLock()
  try {
    if (isBuilt(hash)) return false // another process built it meanwhile
    await build(hash)
    return true
  } finally {
    release()
  }
}

/** Builds into a temporary folder first, so that a partial build is never served. */
async function build(hash: string): Promise<void> {
  const target = mkdtempSync(join(folder, '.dist-'))
  try {
    await runVite(target)
    copyFileSync(fileURLToPath(import.meta.resolve('@mermaid-js/tiny')), join(target, 'diagrams/mermaid.js'))
    for (const file of globSync('**/*.{js,css,html,svg}', { cwd: target })) {
      const path = join(target, file)
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    }
    writeFileSync(join(target, 'stamp'), hash)
    rmSync(consoleFiles, { recursive: true, force: true })
    renameSync(target, consoleFiles)
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

/** Takes the build lock. The lock file holds the id of the process that builds. */
async function acquireLock(): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (!isRunning(lock)) rmSync(lock, { force: true })
      await setTimeout(100)
    }
  }
}

function isRunning(file: string): boolean {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0)
  } catch {
    return false
  }
}

function runVite(target: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--outDir', target, '--logLevel', 'error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    const reason = () => /^\w*Error: .*/m.exec(errors)?.[0] ?? errors.trim()
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(reason()))))
  })
}

if (import.meta.main) await buildConsole()
