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

/** A bar chart over time, with a table of the same values for screen readers. */
export function BarChart({ title, bars, format }: ChartProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const max = Math.max(...bars.map(({ value }) => value), 0)
  const top = max === 0 ? 1 : max
  const width = 100 / Math.max(1, bars.length)
  const shown = pointed === null ? null : bars[pointed]
  return (
    <figure className="chart">
      <figcaption className="row spread">
        <strong>{title}</strong>
        <span className="muted small" aria-hidden>
          {shown ? `${shown.label}: ${format(shown.value)}` : `max ${format(max)}`}
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is static
            key={tick}
            className="chart-line"
            x1="0"
            x2="100"
            y1={(height / ticks) * tick + 0.5}
            y2={(height / ticks) * tick + 0.5}
          />
        ))}
        {bars.map(({ label, value }, index) => {
          const size = value === 0 ? 0 : Math.max(2, (value / top) * (height - 4))
          return (
            <rect
              key={label}
              className={pointed === index ? 'chart-bar pointed' : 'chart-bar'}
              x={index * width + width * 0.14}
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
      <table className="visually-hidden">
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
