import { type Static, Type } from 'typebox'
import { Groups } from '../../kernel/access.ts'
import { roles } from '../../kernel/context.ts'
import { Choice, Derived, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

export const Invitation = Type.Object(
  {
    ...identity('inv'),
    role: Choice(roles, {
      default: 'user',
      description: 'The role that the person gets. You cannot invite to a higher role than your own.',
    }),
    groups: Groups,
    email: Nullable(
      Type.String({
        maxLength: 200,
        pattern: '^[^@\\s]+@[^@\\s]+$',
        description:
          'The e-mail address of the person, which becomes their user ID. Without it, the ID is made of their name. The link is sent to it if the service has a mail server (`SMTP_URL`); otherwise pass it on.',
        examples: ['ada@example.com'],
      }),
    ),
    email_status: ReadOnly(
      Nullable(
        Choice(['pending', 'sent', 'failed'], {
          description:
            'Whether the mail server has accepted the message with the link. Null: nothing was to be sent, because there is no address or no mail server.',
        }),
      ),
    ),
    email_error: ReadOnly(
      Nullable(Type.String({ description: 'Why the message was not sent. Null: nothing failed.' })),
    ),
    expires_at: Derived({ ...Timestamp, description: 'When the link stops working. Default: in seven days.' }),
    accepted_at: ReadOnly(Nullable({ ...Timestamp, description: 'When the person accepted. Null: not yet.' })),
    user_id: Nullable(
      Type.String({
        maxLength: 200,
        description:
          'The user ID of the person who accepted. Set it when you create the invitation to give somebody who is here already a new sign-in link: they stay the same person, with their chats.',
      }),
    ),
    ...timestamps,
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const CreatedInvitation = Type.Object(
  {
    ...Invitation.properties,
    link: Type.String({ description: 'The link for the person. It is shown only once, and works once.' }),
    code: Type.String({ description: 'The code in the link.' }),
  },
  {
    title: 'CreatedInvitation',
    examples: [{ link: 'https://parley.example.com/invitation#code=h8Kd…', code: 'h8Kd…' }],
  },
)

export const AcceptInvitation = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200, description: 'The code in the link.' }),
    name: Type.Optional({ ...Name, description: 'How others see the person. Required of somebody who is new.' }),
  },
  { title: 'AcceptInvitation', additionalProperties: false, examples: [{ code: 'h8Kd…', name: 'Ada Lovelace' }] },
)
export type AcceptInvitation = Static<typeof AcceptInvitation>
