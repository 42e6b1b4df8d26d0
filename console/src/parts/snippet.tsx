import type { Schemas } from '@parley/client'

/** A part of a message with the words that were searched for. */
export function Snippet({ match: { snippet, highlights } }: { match: Schemas['MessageMatch'] }) {
  const ends = [0, ...highlights.map(({ end }) => end)]
  return (
    <span className="snippet">
      {highlights.map(({ start, end }, index) => (
        <span key={start}>
          {snippet.slice(ends[index], start)}
          <mark>{snippet.slice(start, end)}</mark>
        </span>
      ))}
      {snippet.slice(ends.at(-1))}
    </span>
  )
}

/** The page of a conversation, at the message that was found in it. */
export const conversationPath = (id: string, [match]: readonly Schemas['MessageMatch'][]): string =>
  `/conversations/${id}${match ? `?message=${match.message_id}` : ''}`
