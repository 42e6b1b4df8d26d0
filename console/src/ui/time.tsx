import { ago, dateTime } from './format.ts'

export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateTime(at)}>
    {ago(at)}
  </time>
)
