import { useMemo } from 'react'
import { diffWords } from './diff-lines.ts'

/** Longer stretches without a change are cut in the middle. */
const maxSame = 400
const kept = 150

/** A text with what was removed and what was added. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => joined(before, after), [before, after])
  return (
    <p className="word-diff">
      {parts.map(({ kind, text }, index) =>
        kind === 'same' ? (
          shortened(text)
        ) : kind === 'removed' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id
          <del key={index}>{text}</del>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id
          <ins key={index}>{text}</ins>
        ),
      )}
    </p>
  )
}

/** Joins consecutive parts of the same kind. */
function joined(before: string, after: string): ReturnType<typeof diffWords> {
  const parts: ReturnType<typeof diffWords> = []
  for (const part of diffWords(before, after)) {
    const last = parts.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else if (part.text !== '') parts.push({ ...part })
  }
  return parts
}

const shortened = (text: string): string =>
  text.length <= maxSame ? text : `${text.slice(0, kept)} … ${text.slice(-kept)}`
