import { type Static, Type } from 'typebox'
import { Choice, identity, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'
import { ExpectedOutput } from '../evaluations/schema.ts'
import { Message, ReplyScore } from '../runs/schema.ts'

const reasons = ['feedback', 'low_score', 'failed', 'sampled', 'manual'] as const
export type ReviewReason = (typeof reasons)[number]

const verdicts = ['good', 'bad'] as const
export type Verdict = (typeof verdicts)[number]

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const Verdict = Choice(verdicts, { description: 'Whether the reply was good.' })
const Comment = Nullable(Type.String({ maxLength: 10_000, description: 'Why.' }))
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  default: [],
  description: 'Labels of your own, such as `tone`.',
})
const AssignedTo = Nullable(Id('The `user_id` of the person who should review it.'))

const exchange = {
  question: Nullable(Type.String({ description: 'The message that was answered.' })),
  reply: Nullable(Type.String({ description: 'The text of the reply.' })),
  error: Nullable(Type.String({ description: 'Why the reply failed.' })),
  feedback: Message.properties.feedback,
  scores: Nullable(Type.Array(ReplyScore)),
  withheld: Type.Boolean({ description: 'Whether the reply rests on documents that you may not see.' }),
}
export const exchangeFields = Object.keys(exchange) as (keyof typeof exchange)[]

export const Review = Type.Object(
  {
    ...identity('rev'),
    message_id: Id('The reply. It cannot be changed.'),
    conversation_id: ReadOnly(Type.String()),
    agent_id: ReadOnly(Nullable(Type.String())),
    agent_version: ReadOnly(Nullable(Type.Integer())),
    reason: ReadOnly(
      Choice(reasons, {
        description:
          'Why it is in the queue: a thumbs down, a score below the threshold of a scorer, a failure, the sample of a monitor, or a person.',
      }),
    ),
    status: ReadOnly(Choice(['open', 'done'])),
    assigned_to: AssignedTo,
    verdict: ReadOnly(Nullable(Verdict)),
    expected_output: ReadOnly(
      Nullable(Type.String({ description: 'The right answer, in the words of the reviewer.' })),
    ),
    comment: ReadOnly(Comment),
    tags: ReadOnly(Tags),
    evaluation_id: ReadOnly(Nullable(Type.String({ description: 'The evaluation in which it became a test case.' }))),
    reviewed_by: ReadOnly(Nullable(Type.String({ description: 'The user, else the token.' }))),
    reviewed_at: ReadOnly(Nullable(Timestamp)),
    ...Object.fromEntries(Object.entries(exchange).map(([name, field]) => [name, ReadOnly(field)])),
    ...timestamps,
  },
  { title: 'Review' },
)

type Exchange = Static<ReturnType<typeof Type.Object<typeof exchange>>>

/** The columns of a review. */
export interface StoredReview {
  id: string
  message_id: string
  conversation_id: string
  agent_id: string | null
  agent_version: number | null
  reason: ReviewReason
  status: 'open' | 'done'
  assigned_to: string | null
  verdict: Verdict | null
  expected_output: string | null
  comment: string | null
  tags: string[]
  evaluation_id: string | null
  reviewed_by: string | null
  reviewed_at: string | null
  revision: number
  created_at: string
  updated_at: string
}
export type ReviewView = StoredReview & Exchange

export const ReviewVerdict = Type.Object(
  {
    verdict: Verdict,
    expected_output: Type.Optional({ ...ExpectedOutput, description: 'The right answer.' }),
    comment: Type.Optional(Comment),
    tags: Type.Optional(Tags),
    evaluation_id: Type.Optional(
      Nullable(
        Id(
          'Adds a test case to this evaluation, with the question, the expected output (a good reply, if you give none) and the message as its source.',
        ),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'ReviewVerdict',
    required: ['verdict'],
    examples: [{ verdict: 'bad', expected_output: 'Three to five working days.', tags: ['wrong-fact'] }],
  },
)
export type ReviewVerdict = Static<typeof ReviewVerdict>
