import { type Static, Type } from 'typebox'
import { waitingKinds } from '../../../kernel/agent/needs.ts'
import { Choice, identity, Nullable, Timestamp, timestamps } from '../../../kernel/schema.ts'

const runStatuses = ['queued', 'running', 'awaiting_approval', 'succeeded', 'failed', 'skipped'] as const
export type RunStatus = (typeof runStatuses)[number]

const Id = Nullable(Type.String())

export const AutomationRun = Type.Object(
  {
    ...identity('run'),
    due_at: { ...Timestamp, description: 'When it was due.' },
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
    status: Choice(runStatuses, {
      description:
        '`succeeded` only if the reply completed and no tool call was refused or expired. `awaiting_approval`: a person has to do something first; `waiting_for` says what. `skipped`: it was not started; `error` says why.',
    }),
    waiting_for: Nullable(
      Choice(waitingKinds, {
        description:
          'What a run with status `awaiting_approval` waits for: the approval of a tool call, an account to connect, or an answer to the question of a tool.',
      }),
    ),
    code: Nullable(Type.String({ description: 'Why it failed or was skipped, for programs.' })),
    error: Nullable(Type.String({ description: 'The same, for people.' })),
    conversation_id: Id,
    message_id: Nullable(Type.String({ description: 'The reply.' })),
    sync_id: Id,
    evaluation_run_id: Id,
    cost: Type.Number({ description: 'US dollars.' }),
    unpriced_requests: Type.Integer({
      description:
        'The calls whose price was not known. They add nothing to the cost, which is at least the sum shown.',
    }),
    ...timestamps,
  },
  {
    title: 'AutomationRun',
    examples: [
      {
        due_at: '2026-01-31T08:00:00Z',
        status: 'succeeded',
        cost: 0.0021,
        unpriced_requests: 0,
        code: null,
        error: null,
      },
    ],
  },
)
export type AutomationRun = Static<typeof AutomationRun>

export const TriggerRun = Type.Object(
  {
    ...AutomationRun.properties,
    body: Nullable(Type.String({ description: 'The first 4 KiB of what was received. Null for viewers.' })),
  },
  { title: 'TriggerRun', examples: [{ status: 'succeeded', body: '{"ticket":{"id":7}}' }] },
)
