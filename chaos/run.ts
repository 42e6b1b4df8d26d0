import { chaos } from './chaos.ts'
import { fullDisk } from './full-disk.ts'
import { printFindings } from './table.ts'

const minutes = Number(process.env.CHAOS_MINUTES ?? 3)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const started = Date.now()
const report = (line: string) =>
  process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}\n`)

report(`seed ${seed}, ${minutes} minutes of faults`)
const findings = [
  ...(await chaos({ seconds: minutes * 60, seed, apis: 3, workers: 2, redis: true, users: 12, report })),
  ...(await fullDisk(report)),
]
printFindings(findings)
process.exitCode = findings.some(({ faults }) => faults.length > 0) ? 1 : 0
