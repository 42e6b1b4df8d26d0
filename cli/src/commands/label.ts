import type { Parley, Schemas } from '../client.ts'
import { agentCollection, evaluationCollection, findId, templateCollection } from '../collections.ts'
import { command } from '../command.ts'
import { CliError, UsageError } from '../failures.ts'
import { numberFlag } from '../input.ts'
import { jsonOption } from '../options.ts'
import type { Printer } from '../printer.ts'

type Label = Schemas['TemplateLabel'] & Partial<Pick<Schemas['Label'], 'gate'>>
type Gate = Schemas['Label']['gate']

/** An agent, or with --template a prompt template. */
interface Labelled {
  list(): Promise<Label[]>
  newest(): Promise<number>
  set(label: string, version: number, gate?: Gate): Promise<Label>
  delete(label: string): Promise<void>
}

const templateOption = {
  type: 'boolean',
  description: '<agent> is the id or name of a prompt template',
} as const

async function labelled(client: Parley, reference: string, isTemplate: boolean | undefined): Promise<Labelled> {
  if (isTemplate) {
    const { promptTemplates } = client
    const id = await findId(client, templateCollection, reference)
    return {
      list: () => promptTemplates.labels(id).all(),
      newest: async () => (await promptTemplates.get(id)).version,
      set: (label, version) => promptTemplates.setLabel(id, label, { version }),
      delete: (label) => promptTemplates.deleteLabel(id, label),
    }
  }
  const { agents } = client
  const id = await findId(client, agentCollection, reference)
  return {
    list: () => agents.labels(id).all(),
    newest: async () => (await agents.get(id)).version,
    set: (label, version, gate) => agents.setLabel(id, label, { version, ...(gate !== undefined && { gate }) }),
    delete: (label) => agents.deleteLabel(id, label),
  }
}

function printLabel(out: Printer, isJson: boolean, label: Label): void {
  if (isJson) out.json(label)
  else {
    const before = label.previous_version === null ? '' : `, before it version ${label.previous_version}`
    out.line(`${label.label} is version ${label.version}${before}.`)
  }
}

const list = command({
  name: 'label list',
  summary: 'List the labels of an agent',
  args: '<agent>',
  details: '<agent> is an id or a name.',
  connects: true,
  options: { template: templateOption, json: jsonOption },
  examples: ['parley label list Support', 'parley label list "Support prompt" --template'],
  async run({ out, isJson, client }, [reference = ''], { template }) {
    const labels = await (await labelled(await client(), reference, template)).list()
    if (isJson) out.json(labels)
    else if (labels.length === 0) out.line('There are no labels. Set one: parley label set --help')
    else
      out.table(
        [
          { title: 'LABEL', value: ({ label }) => label },
          { title: 'VERSION', value: ({ version }) => version, right: true },
          { title: 'BEFORE', value: ({ previous_version }) => previous_version, right: true },
          { title: 'GATE', value: ({ gate }) => gate?.evaluation_id },
          { title: 'UPDATED', value: ({ updated_at }) => updated_at },
        ],
        labels,
      )
    return 0
  },
})

const set = command({
  name: 'label set',
  summary: 'Label a version of an agent',
  args: '<agent> <label> [version]',
  details: `Without a version it labels the newest one. The version labelled production answers wherever none is named. With a gate,
only versions whose last run of that evaluation has passed can be labelled; the gate stays with the label.`,
  connects: true,
  options: {
    gate: { type: 'string', value: 'evaluation', description: 'Id or name of the evaluation that versions must pass' },
    'remove-gate': { type: 'boolean', description: 'Remove the gate of the label' },
    template: templateOption,
    json: jsonOption,
  },
  examples: [
    'parley label set Support canary',
    'parley label set Support production 12',
    'parley label set Support production 12 --gate Regression',
  ],
  async run({ out, isJson, client }, [reference = '', label = '', versionText], values) {
    const { gate, template, 'remove-gate': isRemoved } = values
    if (gate !== undefined && isRemoved) throw new UsageError('Pass --gate or --remove-gate.')
    if (template && (gate !== undefined || isRemoved)) throw new UsageError('Labels of templates have no gate.')
    const version = numberFlag('version', versionText, { min: 1 })
    const connected = await client()
    const target = await labelled(connected, reference, template)
    const evaluation = gate && { evaluation_id: await findId(connected, evaluationCollection, gate) }
    const next = isRemoved ? null : evaluation || undefined
    printLabel(out, isJson, await target.set(label, version ?? (await target.newest()), next))
    return 0
  },
})

const undo = command({
  name: 'label undo',
  summary: 'Move a label back to the version it had before',
  args: '<agent> <label>',
  connects: true,
  options: { template: templateOption, json: jsonOption },
  examples: ['parley label undo Support production'],
  async run({ out, isJson, client }, [reference = '', label = ''], { template }) {
    const target = await labelled(await client(), reference, template)
    const current = (await target.list()).find((each) => each.label === label)
    if (!current) throw new CliError(`There is no label "${label}".`, 'See what there is: parley label list')
    if (current.previous_version === null) throw new CliError(`"${label}" has named no other version.`)
    printLabel(out, isJson, await target.set(label, current.previous_version))
    return 0
  },
})

const remove = command({
  name: 'label delete',
  summary: 'Remove a label',
  args: '<agent> <label>',
  connects: true,
  options: { template: templateOption },
  examples: ['parley label delete Support canary'],
  async run({ out, client }, [reference = '', label = ''], { template }) {
    await (await labelled(await client(), reference, template)).delete(label)
    out.line(`Removed the label ${label}.`)
    return 0
  },
})

export const labels = [list, set, undo, remove]
