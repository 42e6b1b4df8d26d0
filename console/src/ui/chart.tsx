import { useState } from 'react'

interface Bar {
  label: string
  value: number
}

interface ChartProps {
  title: string
  bars: Bar[]
  format: (value: number) => string
}

const height = 150
const ticks = 3

/** Bars over time. The same figures stand in a table for those who cannot see them. */
export function BarChart({ title, bars, format }: ChartProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(...bars.map(({ value }) => value), 0)
  const top = most === 0 ? 1 : most
  const width = 100 / Math.max(1, bars.length)
  const shown = pointed === null ? null : bars[pointed]
  return (
    <figure className="chart">
      <figcaption className="row spread">
        <strong>{title}</strong>
        <span className="muted small" aria-hidden>
          {shown ? `${shown.label}: ${format(shown.value)}` : `highest ${format(most)}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        height={height}
        aria-hidden="true"
        onPointerLeave={() => setPointed(null)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setPointed(Math.min(bars.length - 1, Math.floor(((event.clientX - box.left) / box.width) * bars.length)))
        }}
      >
        {Array.from({ length: ticks }, (_, tick) => (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            key={tick}
            className="chart-line"
            x1="0"
            x2="100"
            y1={(height / ticks) * tick + 0.5}
            y2={(height / ticks) * tick + 0.5}
          />
        ))}
        {bars.map(({ label, value }, place) => {
          const size = value === 0 ? 0 : Math.max(2, (value / top) * (height - 4))
          return (
            <rect
              key={label}
              className={pointed === place ? 'chart-bar pointed' : 'chart-bar'}
              x={place * width + width * 0.14}
              width={width * 0.72}
              y={height - size}
              height={size}
            />
          )
        })}
      </svg>
      <div className="row spread small muted" aria-hidden>
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <table className="unseen">
        <caption>{title}</caption>
        <tbody>
          {bars
            .filter(({ value }) => value > 0)
            .map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  )
}
