import type { Reporter, TestCase, TestModule } from 'vitest/node'

const slowest = 10

/** Prints the time of each ring, and the slowest tests of a run of several. */
export class Rings implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]).filter((test) => startTime(test) > 0)
    const rings = Map.groupBy(tests, ring)
    print('\n Ring         Tests   From first to last   Sum')
    for (const [name, own] of rings) {
      const started = Math.min(...own.map(startTime))
      const ended = Math.max(...own.map((test) => startTime(test) + duration(test)))
      const sum = own.reduce((total, test) => total + duration(test), 0)
      print(` ${name.padEnd(10)} ${`${own.length}`.padStart(7)} ${seconds(ended - started, 20)} ${seconds(sum, 5)}`)
    }
    const flaky = tests.filter((test) => test.diagnostic()?.flaky)
    if (flaky.length > 0) print('\n Passed only when repeated, so they depend on chance')
    for (const test of flaky) print(`   ${testName(test)}`)
    if (rings.size < 2) return
    print(`\n The ${slowest} slowest tests`)
    for (const test of tests.toSorted((one, other) => duration(other) - duration(one)).slice(0, slowest)) {
      print(`${seconds(duration(test), 7)}   ${testName(test)}`)
    }
  }
}

/** Projects are named by their ring and, after a colon, by what is special about them. */
const ring = (test: TestCase): string => test.project.name.split(':')[0] ?? ''
const testName = (test: TestCase): string => `${test.project.name}  ${test.module.relativeModuleId} > ${test.fullName}`
const duration = (test: TestCase): number => test.diagnostic()?.duration ?? 0
const startTime = (test: TestCase): number => test.diagnostic()?.startTime ?? 0
const seconds = (milliseconds: number, width: number): string => `${(milliseconds / 1000).toFixed(1)} s`.padStart(width)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
