import { type Static, Type } from 'typebox'
import { ApprovalRequired } from '../../../kernel/event-payloads.ts'
import { Nullable } from '../../../kernel/schema.ts'

/** A call that waits for a person, as it is stored and as its event shows it. */
export const StoredApproval = ApprovalRequired
export type StoredApproval = Static<typeof StoredApproval>

export const Approval = Type.Object(
  {
    ...ApprovalRequired.properties,
    may_decide: Type.Boolean({ description: 'Whether it waits for you: you may decide, and nobody has yet.' }),
    deciders: Type.String({
      description: 'The people who may decide, in words.',
      examples: ['members of "finance", but not whoever asked'],
    }),
  },
  { title: 'Approval' },
)

const Comment = Nullable(
  Type.String({ maxLength: 10_000, description: 'Kept with the decision. The model is told it with a refusal.' }),
)

export const DecideBody = Type.Object(
  {
    approved: Type.Boolean({ description: '`false` refuses the call; the model learns of it and continues.' }),
    comment: Type.Optional(Comment),
    arguments: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'With an approval: makes the call with these arguments instead of those of the model. Both are kept.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'DecideApproval',
    required: ['approved'],
    examples: [{ approved: false, comment: 'Ask the customer first.' }],
  },
)

/** A decision sent to a message, whose reply may be streamed. */
export const DecideCallBody = Type.Object(
  {
    tool_call_id: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The call, as `approval.required` names it.',
    }),
    ...DecideBody.properties,
    stream: Type.Boolean({ default: false, description: 'Answer with Server-Sent Events.' }),
  },
  {
    additionalProperties: false,
    title: 'DecideToolCall',
    required: ['tool_call_id', 'approved'],
    examples: [{ tool_call_id: 'call_abc', approved: true }],
  },
)

export const approvalFilters = {
  may_decide: Type.Optional(
    Type.Boolean({ description: '`true`: only those that wait for your decision. `false`: only the others.' }),
  ),
}
