import { type Static, Type } from 'typebox'
import { Choice, updateBody } from '../../../kernel/schema.ts'
import { Agent } from '../../agents/schema.ts'
import { eventSchema } from '../../runs/event-schema.ts'
import { Message } from '../../runs/schema.ts'
import { TraceStep } from '../trace.ts'

export const TryBody = Type.Object(
  {
    ...updateBody(Agent, 'Agent').properties,
    base_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The saved version that the fields change. Default: the current one.',
      }),
    ),
    messages: Type.Array(
      Type.Object(
        {
          role: Choice(['user', 'assistant'], { description: 'The author: the person or the agent.' }),
          content: Type.String({ maxLength: 500_000, description: 'The text.' }),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: 2000,
        description: 'The conversation so far, oldest first. The last one is the question.',
      },
    ),
    stream: Type.Optional(Type.Boolean({ default: false, description: 'Answer with Server-Sent Events.' })),
  },
  {
    additionalProperties: false,
    title: 'TryAgent',
    'x-partial': true, // a field that is left out keeps its saved value
    examples: [{ temperature: 0.9, messages: [{ role: 'user', content: 'What does it cost?' }] }],
  },
)
export type TryBody = Partial<Agent> & {
  base_version?: number
  messages: { role: 'user' | 'assistant'; content: string }[]
  stream?: boolean
}

export const TriedReply = Type.Object(
  {
    ...Message.properties,
    steps: Type.Array(TraceStep, { description: 'The steps in the order they started, as in a trace.' }),
  },
  {
    title: 'TriedReply',
    description: 'A reply that is not stored: `conversation_id` is empty, and no other route knows its `id`.',
  },
)
export type TriedReply = Static<typeof TriedReply>

export const TryEvent = eventSchema(TriedReply, {
  title: 'TryEvent',
  description: 'The `data` of one Server-Sent Event: those of a message, whose last one carries the `steps` as well.',
})
