import type { Schemas } from '../client.ts'
import { agentCollection, experimentCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'
import { jsonOption } from '../options.ts'
import type { Printer } from '../printer.ts'
import { resourceCommands } from '../resource.ts'

type Results = Schemas['ExperimentResults']

/** `canary=1` or `3=1`: a label or a version with its weight. */
function toVariant(text: string): { label?: string; version?: number; weight: number } {
  const [, name = '', weight = '1'] = /^([^=]+)(?:=(\d+(?:\.\d+)?))?$/.exec(text) ?? []
  if (name === '')
    throw new UsageError(`--variant must be a label or version with a weight, such as canary=1: "${text}"`)
  return { ...(/^\d+$/.test(name) ? { version: Number(name) } : { label: name }), weight: Number(weight) }
}

const crud = resourceCommands({
  group: 'experiment',
  noun: 'experiment',
  collections: [experimentCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'METRIC', value: ({ metric }) => metric },
    { title: 'CREATED', value: ({ created_at }) => created_at },
  ],
  create: {
    options: {
      name: { type: 'string', description: 'The name' },
      agent: { type: 'string', value: 'agent', description: 'Id or name of the agent' },
      variant: {
        type: 'string',
        multiple: true,
        value: 'label=weight',
        description: 'A label or version with its weight; two to five, the first is compared with',
      },
      metric: { type: 'string', description: 'feedback, completion, latency, cost or a scorer of a monitor' },
    },
    examples: [
      'parley experiment create --name Canary --agent Support --variant production=9 --variant canary=1 --metric feedback',
    ],
    async fields({ client }, { name, agent, variant, metric }) {
      return {
        name,
        agent_id: agent && (await findId(await client(), agentCollection, agent)),
        variants: variant?.map(toVariant),
        metric,
      }
    },
  },
})

const moves = (['start', 'stop'] as const).map((action) =>
  command({
    name: `experiment ${action}`,
    summary: action === 'start' ? 'Let new conversations take part' : 'End an experiment',
    args: '<experiment>',
    details: '<experiment> is an id or a name.',
    connects: true,
    options: { json: jsonOption },
    examples: [`parley experiment ${action} Canary`],
    async run({ out, isJson, client }, [reference = '']) {
      const connected = await client()
      const row = await connected.experiments[action](await findId(connected, experimentCollection, reference))
      if (isJson) out.json(row)
      else out.line(`Experiment ${row.name} is ${row.status}.`)
      return 0
    },
  }),
)

const results = command({
  name: 'experiment results',
  summary: 'Show the results of an experiment',
  args: '<experiment>',
  details: `<experiment> is an id or a name. The intervals hold for all looks together: look as often as you like. With --gate the exit
code is 1 if a variant is significantly worse than the first.`,
  connects: true,
  options: {
    gate: { type: 'boolean', description: 'Exit with 1 if a variant is significantly worse than the first' },
    json: jsonOption,
  },
  examples: ['parley experiment results Canary', 'parley experiment results Canary --gate'],
  async run({ out, isJson, client }, [reference = ''], { gate }) {
    const connected = await client()
    const found = await connected.experiments.results(await findId(connected, experimentCollection, reference))
    if (isJson) out.json(found)
    else printResults(out, found)
    return gate && found.differences.some(({ better }) => better === false) ? 1 : 0
  },
})

const number = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(4))))
const interval = (ends: number[] | null): string => (ends ? ends.map(number).join(' to ') : '-')

function printResults(out: Printer, { variants, differences, conclusion }: Results): void {
  out.table(
    [
      { title: 'VARIANT', value: ({ label, version }) => label ?? version },
      { title: 'VERSION', value: ({ version }) => version, right: true },
      { title: 'CONVERSATIONS', value: ({ conversations }) => conversations, right: true },
      { title: 'PEOPLE', value: ({ people }) => people, right: true },
      { title: 'MEAN', value: ({ mean }) => number(mean), right: true },
      { title: '95 %', value: ({ ci95 }) => interval(ci95) },
    ],
    variants,
  )
  out.line()
  for (const { variant, against, difference, ci95, p_value } of differences)
    out.line(`${variant} − ${against}: ${number(difference)} (95 %: ${interval(ci95)}, p = ${number(p_value)})`)
  out.line(out.paint('bold', conclusion))
}

const promote = command({
  name: 'experiment promote',
  summary: 'Label the version of a variant production',
  args: '<experiment> <variant>',
  details: '<variant> is its label or version number. The experiment is stopped, so that everybody gets the version.',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley experiment promote Canary canary'],
  async run({ out, isJson, client }, [reference = '', variant = '']) {
    const connected = await client()
    const id = await findId(connected, experimentCollection, reference)
    const row = await connected.experiments.promote(id, { variant })
    if (isJson) out.json(row)
    else out.line(`Promoted ${variant}. Experiment ${row.name} is ${row.status}.`)
    return 0
  },
})

export const experiments = [...crud, ...moves, results, promote]
