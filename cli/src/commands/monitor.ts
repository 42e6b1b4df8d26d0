import { agentCollection, findId, monitorCollection } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'
import { numberFlag } from '../input.ts'
import { jsonOption } from '../options.ts'
import { resourceCommands } from '../resource.ts'

const resource = resourceCommands({
  group: 'monitor',
  noun: 'monitor',
  collections: [monitorCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'AGENT', value: ({ agent_id }) => agent_id },
    { title: 'SAMPLE', value: ({ sample_rate }) => sample_rate, right: true },
    { title: 'BUDGET', value: ({ daily_budget }) => daily_budget, right: true },
    { title: 'SPENT', value: ({ spent_today }) => spent_today, right: true },
  ],
  create: {
    options: {
      name: { type: 'string', value: 'name', description: 'Its name' },
      agent: { type: 'string', value: 'agent', description: 'The agent whose replies are scored, by id or name' },
      rubric: { type: 'string', value: 'text', description: 'Scores with a judge: describes a good answer' },
      sample: { type: 'string', value: 'rate', description: 'The share of replies that are scored; default: 0.1' },
      budget: { type: 'string', value: 'dollars', description: 'What scoring may cost a day; default: 1' },
      'alert-below': { type: 'string', value: 'score', description: 'Alert when the mean score falls below this' },
    },
    details: 'Flags come before the fields of a file. Other scorers go into a file.',
    examples: [
      'parley monitor create --name Helpful --agent Support --rubric "Answers the question, without guessing."',
      'parley monitor create --file monitor.yaml --sample 0.5 --budget 2',
    ],
    async fields({ client }, { name, agent, rubric, sample, budget, 'alert-below': below }) {
      const rate = shareFlag('sample', sample)
      const limit = shareFlag('alert-below', below)
      return {
        name,
        agent_id: agent === undefined ? undefined : await findId(await client(), agentCollection, agent),
        scorers: rubric === undefined ? undefined : [{ type: 'llm_judge', config: { rubric } }],
        sample_rate: rate,
        daily_budget: numberFlag('budget', budget, { min: 0 }),
        alert: limit === undefined ? undefined : { below: limit },
      }
    },
  },
})

function shareFlag(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  throw new UsageError(`--${name} must be from 0 to 1, such as 0.2, but is "${text}".`)
}

const summary = command({
  name: 'monitor summary',
  summary: 'Show the scores of a monitor, and how far its judge and people agree',
  args: '<monitor>',
  details: '<monitor> is an id or a name.',
  connects: true,
  options: {
    from: { type: 'string', value: 'day', description: 'From this day on; default: the last 30 days' },
    to: { type: 'string', value: 'day', description: 'Up to this day; default: today' },
    json: jsonOption,
  },
  examples: ['parley monitor summary Helpful', 'parley monitor summary Helpful --from 2026-01-01 --json'],
  async run({ out, isJson, client }, [reference = ''], { from, to }) {
    const { monitors } = await client()
    const id = await findId(await client(), monitorCollection, reference)
    const shown = await monitors.summary(id, { ...(from && { start_date: from }), ...(to && { end_date: to }) })
    const agreement = await monitors.agreement(id)
    if (isJson) {
      out.json({ ...shown, agreement })
      return 0
    }
    const rows = shown.by_version.flatMap(({ agent_version, scorers }) =>
      scorers.map((scorer) => ({ of: String(agent_version ?? ''), ...scorer })),
    )
    rows.push(...shown.by_label.flatMap(({ label, scorers }) => scorers.map((scorer) => ({ of: label, ...scorer }))))
    if (rows.length > 0)
      out.table(
        [
          { title: 'VERSION OR LABEL', value: ({ of }) => of },
          { title: 'SCORER', value: ({ scorer }) => scorer },
          { title: 'REPLIES', value: ({ n }) => n, right: true },
          { title: 'MEAN', value: ({ mean }) => mean.toFixed(3), right: true },
          { title: 'PASSED', value: ({ passed }) => passed, right: true },
        ],
        rows,
      )
    else out.line('No reply has been scored in this period.')
    const { scored, over_budget, hidden, failed, pending } = shown.replies
    out.line(
      `${scored} scored, ${over_budget} over budget, ${hidden} hidden, ${failed} failed, ${pending} pending; $${shown.cost.toFixed(4)}`,
    )
    if (agreement.agreement !== null)
      out.line(`Judge and people agree on ${Math.round(agreement.agreement * 100)} % of ${agreement.n} replies`)
    return 0
  },
})

export const monitors = [...resource, summary]
