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
