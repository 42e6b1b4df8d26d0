import { evaluationCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { UsageError } from '../failures.ts'
import { numberFlag } from '../input.ts'
import { jsonOption } from '../options.ts'

const list = command({
  name: 'review list',
  summary: 'List the replies that people should review',
  connects: true,
  options: {
    done: { type: 'boolean', description: 'Those that were reviewed, instead of the open ones' },
    reason: { type: 'string', value: 'reason', description: 'feedback, low_score, failed, sampled or manual' },
    'assigned-to': { type: 'string', value: 'user', description: 'Only those of this person' },
    limit: { type: 'string', value: 'number', description: 'At most this many; default: 50' },
    json: jsonOption,
  },
  examples: ['parley review list', 'parley review list --reason feedback --json'],
  async run({ out, isJson, client }, _args, { done, reason, limit, 'assigned-to': person }) {
    const { reviews } = await client()
    const query = { status: done ? 'done' : 'open', ...(reason && { reason }), ...(person && { assigned_to: person }) }
    const rows = await reviews
      .list(query as Parameters<typeof reviews.list>[0])
      .all(numberFlag('limit', limit, { min: 1 }) ?? 50)
    if (isJson) out.json(rows)
    else if (rows.length === 0) out.line(done ? 'Nothing was reviewed yet.' : 'There is nothing to review.')
    else
      out.table(
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'REASON', value: (row) => row.reason },
          { title: 'VERDICT', value: (row) => row.verdict },
          { title: 'ASSIGNED TO', value: (row) => row.assigned_to },
          { title: 'QUESTION', value: (row) => row.question },
          { title: 'REPLY', value: (row) => row.reply },
        ],
        rows,
      )
    return 0
  },
})

const verdicts = ['good', 'bad'] as const

const decide = command({
  name: 'review decide',
  summary: 'Say whether a reply was good or bad',
  args: '<review>',
  details: '<review> is the id of a review. With --eval it becomes a test case of that evaluation.',
  connects: true,
  options: {
    verdict: { type: 'string', value: 'good|bad', description: 'Whether the reply was good' },
    expected: { type: 'string', value: 'text', description: 'The right answer' },
    comment: { type: 'string', value: 'text', description: 'Why' },
    tag: { type: 'string', multiple: true, value: 'tag', description: 'A label of your own' },
    eval: { type: 'string', value: 'evaluation', description: 'Add a test case to this evaluation' },
    json: jsonOption,
  },
  examples: [
    'parley review decide rev_01k9z8q4m6e3v7t2w5x8y1a4bc --verdict good',
    'parley review decide rev_01k9z8q4m6e3v7t2w5x8y1a4bc --verdict bad --expected "Three days." --eval Regression',
  ],
  async run({ out, isJson, client }, [id = ''], { verdict, expected, comment, tag, eval: evaluation }) {
    const chosen = verdicts.find((each) => each === verdict)
    if (!chosen) throw new UsageError('Pass --verdict good or --verdict bad.')
    const connected = await client()
    const row = await connected.reviews.decide(id, {
      verdict: chosen,
      ...(expected !== undefined && { expected_output: expected }),
      ...(comment !== undefined && { comment }),
      ...(tag && { tags: tag }),
      ...(evaluation !== undefined && {
        evaluation_id: await findId(connected, evaluationCollection, evaluation),
      }),
    })
    if (isJson) out.json(row)
    else out.line(`Reviewed as ${chosen}.`)
    return 0
  },
})

const assign = command({
  name: 'review assign',
  summary: 'Assign a review to a person',
  args: '<review> [user]',
  details: '<user> is a user ID. Without it, the review is assigned to nobody.',
  connects: true,
  options: { json: jsonOption },
  examples: ['parley review assign rev_01k9z8q4m6e3v7t2w5x8y1a4bc ada'],
  async run({ out, isJson, client }, [id = '', person]) {
    const row = await (await client()).reviews.update(id, { assigned_to: person ?? null })
    if (isJson) out.json(row)
    else out.line(row.assigned_to ? `Assigned to ${row.assigned_to}.` : 'Assigned to nobody.')
    return 0
  },
})

export const reviews = [list, assign, decide]
