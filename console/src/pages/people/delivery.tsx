import type { Schemas } from '@parley/client'

type Sent = Pick<Schemas['Invitation'], 'email' | 'email_status' | 'email_error'>

/** How often to look while a message is on its way, in milliseconds. */
export const whilePending = (invitations: Sent[]): number | false =>
  invitations.some(({ email_status: status }) => status === 'pending') && 2000

/** Whether the link was sent by e-mail. Nothing if it was not to be sent. */
export function Delivery({ email, email_status: status, email_error: error }: Sent) {
  if (status === null) return null
  if (status === 'failed')
    return (
      <span className="bad-text">
        Not sent to {email}: {error}
      </span>
    )
  return <span className="muted">{status === 'sent' ? `Sent to ${email}` : `Sending to ${email} …`}</span>
}
