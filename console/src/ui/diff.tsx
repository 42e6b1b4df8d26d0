import { useMemo } from 'react'
import { diffLines } from './diff-lines.ts'

const signs = { same: ' ', removed: '−', added: '+' }
const labels = { same: '', removed: 'removed: ', added: 'added: ' }

export function Diff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  return (
    <pre className="diff">
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <div key={index} className={kind}>
          <span aria-hidden>{signs[kind]} </span>
          {kind !== 'same' && <span className="visually-hidden">{labels[kind]}</span>}
          {text || ' '}
        </div>
      ))}
    </pre>
  )
}
