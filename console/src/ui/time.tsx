import { ago, clock, dateTime } from './format.ts'

export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {ago(at)}
  </time>
)

/** When a message was sent: the time, and the day if it was not today. */
export const SentAt = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {new Date(at).toDateString() === new Date().toDateString() ? clock(at) : dateTime(at)}
  </time>
)
