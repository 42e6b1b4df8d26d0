import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import { toCssColor } from './tones.ts'
import type { Drawing, Pointed, TimeChartProps } from './types.ts'

interface Events {
  onPointed: (pointed: Pointed | null) => void
  /** The first and the last step of a dragged range. */
  onZoomed: (from: number, to: number) => void
}

const inUtc = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC')

/** Draws a chart on a canvas in the element. */
export function draw(element: HTMLElement, props: TimeChartProps, height: number, events: Events): Drawing {
  const { times, series, previous, kind = 'bars', format } = props
  const color = (name: string) => resolved(element, name)
  const seconds = times.map((time) => Date.parse(time) / 1000)
  const isBars = kind === 'bars'
  const columns = isBars ? stacked(series.map(({ values }) => values)) : series.map(({ values }) => values)
  const bars = uPlot.paths.bars?.({ size: [0.72, 48], align: 1 })
  const drawn = series.map(({ tone, values }, index): { values: (number | null)[]; options: uPlot.Series } => ({
    values: columns[index] ?? [],
    options: isBars
      ? { fill: color(toCssColor(tone)), width: 0, points: { show: false }, ...(bars && { paths: bars }) }
      : { stroke: color(toCssColor(tone)), width: 2, points: { show: isSparse(values), size: 5 }, spanGaps: true },
  }))
  // The tallest bars first: the others are drawn over them.
  if (isBars) drawn.reverse()
  if (previous)
    drawn.push({
      values: previous,
      options: { stroke: color('var(--muted)'), width: 1.5, dash: [4, 4], points: { show: false } },
    })
  const axis = {
    stroke: color('var(--muted)'),
    grid: { stroke: color('var(--line)'), width: 1 },
    ticks: { show: false },
  }
  const step = (seconds[1] ?? (seconds[0] ?? 0) + 86_400) - (seconds[0] ?? 0)
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height,
      tzDate: inUtc,
      legend: { show: false },
      cursor: { y: false, points: { show: !isBars }, drag: { x: true, y: false, setScale: !props.onZoom } },
      scales: {
        x: { time: true, range: (_, min, max) => (isBars ? [min, max + step] : [min, max + (min === max ? step : 0)]) },
        y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        { ...axis, grid: { show: false }, font: '12px system-ui', size: 28, values: timeLabels(step) },
        {
          ...axis,
          font: '12px system-ui',
          size: (self, values) => measureWidth(self, values),
          values: (_, all) => all.map(format),
          ...(props.isCount && { incrs: wholeSteps }),
        },
      ],
      series: [{}, ...drawn.map(({ options }) => options)],
      hooks: {
        setCursor: [
          (self) => {
            const at = self.cursor.idx
            const left = self.cursor.left ?? -1
            if (at == null || left < 0) return events.onPointed(null)
            const offset = self.over.offsetLeft
            events.onPointed({ at, left: left + offset, isRight: left > self.over.clientWidth / 2 })
          },
        ],
        setSelect: [
          (self) => {
            if (self.select.width < 4) return
            const from = self.posToIdx(self.select.left)
            const to = self.posToIdx(self.select.left + self.select.width)
            events.onZoomed(from, to)
          },
        ],
      },
    },
    [seconds, ...drawn.map(({ values }) => values)] as uPlot.AlignedData,
    element,
  )
  const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
  observer.observe(element)
  return {
    reset: () => chart.setData(chart.data),
    destroy: () => {
      observer.disconnect()
      chart.destroy()
    },
  }
}

/** A value between two gaps would not be seen as a line. */
const isSparse = (values: (number | null)[]): boolean => values.filter((value) => value !== null).length <= 60

const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat()

/** Each value plus those below it. */
function stacked(columns: (number | null)[][]): (number | null)[][] {
  const sums: number[] = []
  return columns.map((values) =>
    values.map((value, at) => {
      sums[at] = (sums[at] ?? 0) + (value ?? 0)
      return sums[at]
    }),
  )
}

/** A canvas takes no variables: the browser resolves them for an element. */
function resolved(element: HTMLElement, css: string): string {
  const probe = document.createElement('span')
  probe.style.color = css
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const days = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const hours = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

const timeLabels =
  (step: number): uPlot.Axis.DynamicValues =>
  (self, splits) =>
    splits.map((each) => {
      // The axis ends where the last bar does, which is the day after.
      if (each > (self.data[0].at(-1) ?? each)) return ''
      const date = new Date(each * 1000)
      return step < 86_400 && each % 86_400 !== 0 ? hours.format(date) : each % 86_400 === 0 ? days.format(date) : ''
    })

const measureWidth = (self: uPlot, values: string[] | null): number => {
  if (!values) return 40
  self.ctx.save()
  self.ctx.font = '12px system-ui'
  const widest = Math.max(0, ...values.map((value) => self.ctx.measureText(value).width))
  self.ctx.restore()
  return Math.ceil(widest) + 16
}
