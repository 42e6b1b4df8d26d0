import type { Message } from '@parley/client'
import { Badge } from '../ui/page.tsx'

/** The scores that monitors gave a reply. */
export default function ReplyScores({ scores }: { scores: NonNullable<Message['scores']> }) {
  return (
    <ul className="reply-scores" aria-label="Scores">
      {scores.map(({ monitor_id, scorer, score, passed, reason }) => (
        <li key={`${monitor_id} ${scorer}`}>
          <Badge tone={passed ? 'good' : 'bad'}>
            {scorer} {Math.round(score * 1000) / 1000}
          </Badge>
          {reason && <span className="small muted">{reason}</span>}
        </li>
      ))}
    </ul>
  )
}
