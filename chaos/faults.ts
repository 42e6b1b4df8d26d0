import type { Cluster } from './cluster.ts'
import type { NodeProcess } from './node-process.ts'
import type { CountingProvider } from './provider.ts'
import type { Random } from './random.ts'
import { pause } from './wait.ts'

type Setting = Cluster & { provider: CountingProvider }

/** Injects a fault and ends it again. Returns a description. */
type Fault = (setting: Setting, random: Random) => Promise<string>

const killOne = async (nodes: NodeProcess[], random: Random): Promise<string> => {
  const node = random.pick(nodes)
  const downFor = random.between(500, 4000)
  node.kill(downFor)
  return `${node.name} for ${downFor} ms`
}

const restartPostgres =
  (mode: 'fast' | 'immediate'): Fault =>
  async ({ postgres }, random) => {
    const downFor = random.between(200, 2500)
    await postgres.stop(mode)
    await pause(downFor)
    await postgres.start()
    return `for ${downFor} ms`
  }

const faults = {
  'kill -9 an api node': ({ apis }, random) => killOne(apis, random),
  'kill -9 a worker': ({ workers }, random) => killOne(workers, random),
  async 'pause a node'({ apis, workers }, random) {
    const node = random.pick([...apis, ...workers])
    const pausedFor = random.between(2000, 12_000)
    node.signal('SIGSTOP')
    await pause(pausedFor)
    node.signal('SIGCONT')
    return `${node.name} for ${pausedFor} ms`
  },
  'restart Postgres': restartPostgres('fast'),
  'crash Postgres': restartPostgres('immediate'),
  async 'stop Redis'({ redis }, random) {
    const downFor = random.between(1000, 5000)
    await redis?.stop()
    await pause(downFor)
    await redis?.start()
    return `for ${downFor} ms`
  },
  async 'hang Redis'({ toRedis }, random) {
    const downFor = random.between(1000, 5000)
    toRedis?.drop('all')
    await pause(downFor)
    toRedis?.restore()
    return `for ${downFor} ms`
  },
  async 'cut connections'({ toPostgres, toRedis }) {
    toPostgres.cut()
    toRedis?.cut()
    return 'to Postgres and Redis'
  },
  async 'silence connections'({ toPostgres, toRedis }) {
    toPostgres.drop('open')
    toRedis?.drop('open')
    return 'to Postgres and Redis, without closing them'
  },
  async 'delay connections'({ toPostgres, toRedis }, random) {
    const wait = random.between(20, 150)
    toPostgres.delay(wait)
    toRedis?.delay(wait)
    await pause(4000)
    toPostgres.delay(0)
    toRedis?.delay(0)
    return `by ${wait} ms a packet`
  },
  async 'jump clocks'({ apis, workers }) {
    for (const node of [...apis, ...workers]) node.signal('SIGUSR2')
    return 'of all nodes, by 20 s to 2 h'
  },
  async 'fail the provider'({ provider }, random) {
    const failures = Array.from({ length: 12 }, () => random.pick(['busy', 'refuse', 'cut'] as const))
    provider.failures.push(...failures)
    return failures.join(', ')
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

/** Injects faults one after another in a random order that the seed repeats, each of them before any comes again. */
export async function injectFaults(
  setting: Setting,
  random: Random,
  until: number,
  report: (line: string) => void,
  names = Object.keys(faults) as FaultName[],
): Promise<FaultName[]> {
  const injected: FaultName[] = []
  let left: FaultName[] = []
  while (Date.now() < until) {
    await pause(random.between(3000, 9000))
    if (left.length === 0) left = random.shuffle(names)
    const name = left.shift() as FaultName
    const what = await (faults[name] as Fault)(setting, random)
    injected.push(name)
    report(`${name}: ${what}`)
  }
  return injected
}
