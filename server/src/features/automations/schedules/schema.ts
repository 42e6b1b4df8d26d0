import { type Static, Type } from 'typebox'
import { Choice, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../../kernel/schema.ts'
import { AutomationRun } from '../runs/schema.ts'

const Id = Type.String({ minLength: 1, maxLength: 200 })

export const actionTypes = ['message', 'sync', 'evaluation'] as const

export const Action = Type.Object(
  {
    type: Choice(actionTypes, { description: 'Sends a message, syncs a knowledge source or runs an evaluation.' }),
    agent_id: Type.Optional({ ...Id, description: 'The agent that answers a message.' }),
    message: Type.Optional(Type.String({ minLength: 1, maxLength: 500_000, description: 'The text of a message.' })),
    conversation_id: Type.Optional(
      Nullable({
        ...Id,
        description: 'The conversation that a message continues. Left out: a new one for every run.',
      }),
    ),
    knowledge_source_id: Type.Optional({ ...Id, description: 'The source of a sync.' }),
    evaluation_id: Type.Optional({ ...Id, description: 'The evaluation to run.' }),
  },
  {
    additionalProperties: false,
    examples: [{ type: 'message', agent_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', message: 'Summarize the new tickets.' }],
  },
)
export type Action = Static<typeof Action>

const Timezone = Type.String({
  minLength: 1,
  maxLength: 100,
  default: 'UTC',
  description: 'The IANA name of the time zone.',
  examples: ['Europe/Berlin'],
})

const cronFields = 'Five fields: minute, hour, day of month, month, day of week.'

const CronText = Type.String({
  minLength: 1,
  maxLength: 200,
  description: cronFields,
  examples: ['0 9 * * 1-5'],
})

export const Schedule = Type.Object(
  {
    ...identity('sch'),
    name: Name,
    cron: Nullable({ ...CronText, description: `${cronFields} Either this or \`at\`.` }),
    cron_description: ReadOnly(
      Nullable(Type.String({ description: '`cron` in words.', examples: ['At 09:00, Monday through Friday'] })),
    ),
    at: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'The time of a single run. Without `Z` or an offset it is a local time of `timezone`.',
        examples: ['2027-01-31T09:00:00Z'],
      }),
    ),
    timezone: Timezone,
    action: { ...Action, description: 'The work of a run.' },
    overlap: Choice(['skip', 'queue'], {
      default: 'skip',
      description: 'Whether a run that is due while another one has not ended is skipped or queued.',
    }),
    catch_up: Choice(['none', 'last'], {
      default: 'none',
      description:
        'After an outage of more than five minutes, `last` starts one run for the last due time that passed.',
    }),
    enabled: Type.Boolean({ default: true, description: 'While it is false, nothing is due.' }),
    approved_tools: Type.Array(Id, {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description:
        'Tools that runs of this schedule may call without approval. Only who may approve their calls can set it. It ends when the tool changes; set it again then.',
    }),
    next_run_at: ReadOnly(Nullable(Timestamp)),
    disabled_reason: ReadOnly(Nullable(Type.String({ description: 'Why the service disabled it.' }))),
    last_run: ReadOnly(
      Type.Unsafe<Static<typeof AutomationRun> | null>({ ...AutomationRun, type: ['object', 'null'] }),
    ),
    ...timestamps,
  },
  { title: 'Schedule' },
)
export type Schedule = Static<typeof Schedule>

export const PreviewBody = Type.Object(
  { cron: CronText, timezone: Timezone },
  {
    title: 'PreviewSchedule',
    additionalProperties: false,
    required: ['cron'],
    examples: [{ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }],
  },
)

export const Preview = Type.Object(
  {
    description: Type.String({
      description: 'The expression in words.',
      examples: ['At 09:00, Monday through Friday'],
    }),
    next: Type.Array(Timestamp, { description: 'The next five times.' }),
  },
  { title: 'SchedulePreview' },
)
