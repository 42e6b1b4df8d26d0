import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Service } from '../../server/test/harness.ts'

interface Example {
  child: ChildProcess
  output(): string
  ended: Promise<number | null>
}

/** Starts an example, or another program below the folder of examples, as a reader of its README would. */
export function start(
  { url, token }: Pick<Service, 'url' | 'token'>,
  name: string,
  { args = [], environment = {} }: { args?: string[]; environment?: Record<string, string> } = {},
): Example {
  const program = fileURLToPath(new URL(name.endsWith('.js') ? `../${name}` : `../${name}/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, PARLEY_URL: url, PARLEY_TOKEN: token, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) }
}
