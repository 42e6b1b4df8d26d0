import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Swatch } from './swatch.tsx'
import { useTheme } from './theme.ts'
import type { Drawing, Pointed, TimeChartProps } from './types.ts'

const height = 190

/** A chart over time with axes, hover and zoom, and a table of the same values for screen readers. */
export function TimeChart(props: TimeChartProps) {
  const { title, times, series, previous, format, label } = props
  const frame = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [isZoomed, setIsZoomed] = useState(false)
  const drawing = useRef<Drawing | null>(null)
  const zoom = useRef(props.onZoom)
  zoom.current = props.onZoom

  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` stands for the data, and the theme changes the colours
  useEffect(() => {
    const element = frame.current
    if (!element) return
    let isCurrent = true
    void import('./draw.ts').then(({ draw }) => {
      if (!isCurrent) return
      drawing.current = draw(element, props, height, {
        onPointed: setPointed,
        onZoomed: (from, to) => {
          if (!zoom.current) return setIsZoomed(true)
          const [first, last] = [times[from], times[to]]
          if (first && last) zoom.current(first, last)
        },
      })
    })
    return () => {
      isCurrent = false
      drawing.current?.destroy()
      drawing.current = null
      setPointed(null)
      setIsZoomed(false)
    }
  }, [dataKey(props), theme])

  return (
    <figure className="chart" aria-label={title}>
      <figcaption className="row spread">
        <strong>{title}</strong>
        {isZoomed && (
          <Button
            small
            variant="quiet"
            onClick={() => {
              drawing.current?.reset()
              setIsZoomed(false)
            }}
          >
            Reset zoom
          </Button>
        )}
      </figcaption>
      <div className="chart-frame" ref={frame} aria-hidden="true">
        {pointed && <Tooltip {...props} pointed={pointed} />}
      </div>
      {(series.length > 1 || previous) && (
        <ul className="legend small">
          {series.map(({ name, tone }) => (
            <li key={name}>
              <Swatch tone={tone} />
              {name}
            </li>
          ))}
          {previous && (
            <li>
              <Swatch tone="before" />
              Previous period
            </li>
          )}
        </ul>
      )}
      <table className="visually-hidden">
        <caption>{title}</caption>
        <tbody>
          {times.map((time, at) =>
            series
              .filter(({ values }) => values[at])
              .map(({ name, values }) => (
                <tr key={`${time} ${name}`}>
                  <th scope="row">{series.length === 1 ? label(time) : `${label(time)}, ${name}`}</th>
                  <td>{format(values[at] ?? 0)}</td>
                </tr>
              )),
          )}
        </tbody>
      </table>
    </figure>
  )
}

const dataKey = ({ times, series, previous, kind }: TimeChartProps): string =>
  JSON.stringify([times, series, previous, kind])

function Tooltip({ times, series, previous, format, label, pointed }: TimeChartProps & { pointed: Pointed }) {
  const { at, left, isRight } = pointed
  const shown = series.filter(({ values }) => series.length === 1 || values[at])
  return (
    <div className={`chart-tip small${isRight ? ' right' : ''}`} style={{ left }}>
      <strong>{label(times[at] ?? '')}</strong>
      {shown.map(({ name, tone, values }) => (
        <span key={name} className="row nowrap">
          <Swatch tone={tone} />
          <span className="grow clip">{name}</span>
          {values[at] === null ? '–' : format(values[at] ?? 0)}
        </span>
      ))}
      {previous && (
        <span className="row nowrap">
          <Swatch tone="before" />
          <span className="grow">Previous period</span>
          {previous[at] == null ? '–' : format(previous[at])}
        </span>
      )}
    </div>
  )
}
