/**
 * npm run test:again -- [--times N] [ring or file …]: runs tests several times, in another order and with another random seed
 * each time, beside two processes that keep the processor busy. Prints the tests that failed at least once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const rings = ['unit', 'service', 'browser', 'cluster']
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '3' } },
})

interface Report {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'parley-again-'))
const failures = new Map<string, string[]>()
const spinning = Array.from({ length: Math.max(2, availableParallelism()) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
let tests: ChildProcess | undefined
process.once('exit', () => {
  for (const child of spinning) child.kill('SIGKILL')
  tests?.kill()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const times = Number(values.times)
for (let run = 1; run <= times; run++) {
  const seed = randomInt(1, 2 ** 31)
  const started = performance.now()
  const file = join(folder, `${run}.json`)
  tests = runTests(seed, file)
  const code = await exitCode(tests)
  const found = collect(JSON.parse(readFileSync(file, 'utf8')), seed)
  if (code !== 0 && found === 0) add('(the run)', seed, `It ended with code ${code}, though every test passed.`)
  const took = Math.round((performance.now() - started) / 1000)
  process.stderr.write(`Run ${run} of ${times}, seed ${seed}: ${took} s, ${found} failed\n`)
}
for (const [test, seeds] of failures) {
  process.stdout.write(`${test}\n  failed ${seeds.length} of ${times} times:\n  ${seeds.join('\n  ')}\n`)
}
process.exit(failures.size > 0 ? 1 : 0)

function runTests(seed: number, file: string): ChildProcess {
  const projects = positionals.filter((name) => rings.includes(name)).map((ring) => `--project=${ring}*`)
  const files = positionals.filter((name) => !rings.includes(name))
  const report = ['--reporter=json', `--outputFile.json=${file}`]
  const all = projects.length > 0 ? [] : ['--project=!cluster:chaos']
  // Started directly, so that ending it ends it: npx would leave it running.
  const vitest = join(root, 'node_modules/.bin/vitest')
  return spawn(process.execPath, [vitest, 'run', ...all, ...projects, `--sequence.seed=${seed}`, ...report, ...files], {
    cwd: root,
    env: { ...process.env, PARLEY_TEST_SEED: `${seed}`, PARLEY_TEST_SHUFFLE: 'yes' },
    stdio: 'ignore',
  })
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

function add(test: string, seed: number, text: string): void {
  failures.set(test, [...(failures.get(test) ?? []), `seed ${seed}: ${text}`])
}

/** Returns the number of files with a failure. */
function collect({ testResults }: Report, seed: number): number {
  let count = 0
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of failed) add(`${file} > ${fullName}`, seed, failureMessages.join('\n'))
    if (status === 'failed' && failed.length === 0) add(`${file} > (the file)`, seed, message)
    if (status === 'failed') count++
  }
  return count
}
