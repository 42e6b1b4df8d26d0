import { type Static, Type } from 'typebox'
import { identity, Name, Nullable, ReadOnly, timestamps, WriteOnly } from '../../../kernel/schema.ts'

const Secret = Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })

export const Trigger = Type.Object(
  {
    ...identity('trg'),
    name: Name,
    agent_id: Type.String({ minLength: 1, maxLength: 200, description: 'The agent that answers.' }),
    template: Type.String({
      minLength: 1,
      maxLength: 100_000,
      description:
        'The message. `{{body.path}}` inserts a value of the JSON that is received, as text. The agent is told that these values are data, not instructions.',
      examples: ['A new ticket came in: {{body.ticket.title}}'],
    }),
    conversation_key: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'The path of a value such as `body.ticket.id`: webhooks with the same value continue the same conversation. Left out: each starts a new one.',
        examples: ['body.ticket.id'],
      }),
    ),
    enabled: Type.Boolean({ default: true, description: 'While it is false, webhooks are refused.' }),
    // Only create and rotate return it. It is ignored on write.
    secret: ReadOnly(WriteOnly(Secret)),
    ...timestamps,
  },
  { title: 'Trigger' },
)
export type Trigger = Static<typeof Trigger>

export const TriggerWithSecret = Type.Object(
  { ...Trigger.properties, secret: { ...Secret, description: 'Signs the webhooks. It is not shown again.' } },
  { title: 'TriggerWithSecret' },
)

export const Fired = Type.Object(
  { run_id: Type.String(), conversation_id: Type.String() },
  { title: 'FiredTrigger', examples: [{ run_id: 'run_01k9z8q4m6e3v7t2w5x8y1a4bc' }] },
)
