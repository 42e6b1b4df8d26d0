import { useMemo } from 'react'
import { diffLines } from './diff-lines.ts'

const signs = { same: ' ', gone: '−', new: '+' }
const words = { same: '', gone: 'removed: ', new: 'added: ' }

export function Diff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  return (
    <pre className="diff">
      {lines.map(({ kind, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
        <div key={place} className={kind}>
          <span aria-hidden>{signs[kind]} </span>
          {kind !== 'same' && <span className="unseen">{words[kind]}</span>}
          {text || ' '}
        </div>
      ))}
    </pre>
  )
}
