import type { Schemas } from '@parley/client'
import { percent } from '../../ui/format.ts'

const width = 6
const gap = 2
const height = 20

/** The pass rates of the newest runs as bars, the newest at the right. */
export function Trend({ runs }: { runs: Schemas['EvaluationRunInList'][] }) {
  const rated = runs
    .flatMap(({ id, status, pass_rate: rate, verdict }) =>
      status === 'completed' && rate !== null ? [{ id, rate, verdict }] : [],
    )
    .reverse()
  if (rated.length < 2) return null
  const label = `Pass rates, newest last: ${rated.map(({ rate }) => percent(rate)).join(', ')}`
  return (
    <svg className="trend" role="img" aria-label={label} width={rated.length * (width + gap)} height={height}>
      <title>{label}</title>
      {rated.map(({ id, rate, verdict }, index) => {
        const bar = Math.max(2, rate * height)
        return (
          <rect
            key={id}
            className={verdict === 'failed' ? 'bad' : 'good'}
            x={index * (width + gap)}
            y={height - bar}
            width={width}
            height={bar}
          />
        )
      })}
    </svg>
  )
}
