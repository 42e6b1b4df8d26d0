import { useEffect, useState } from 'react'
import { isDarkTheme, useTheme } from '../chart/theme.ts'
import { CodeBlock } from '../code.tsx'
import { type Drawing, drawDiagram } from './draw-diagram.ts'

const minScale = 0.6

/** While a reply streams, its diagram is drawn when the source has not changed for this long. */
const pause = 300

/** A Mermaid diagram as an image, which runs no scripts and loads nothing. Until it is drawn, and if it cannot be: its source. */
export default function Diagram({ source }: { source: string }) {
  const theme = useTheme()
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const drawn = await drawDiagram(source, isDarkTheme(theme))
      if (isCurrent) setDrawing(drawn)
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [source, theme])
  const code = <CodeBlock text={source} language="mermaid" />
  if (drawing === null) return code
  const { svg, width, height } = drawing
  return (
    <figure className="diagram">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Diagram">
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
          width={width}
          height={height}
          // Smaller texts could not be read: a wider diagram scrolls.
          style={{ minWidth: width * minScale }}
          alt="Diagram, with its source below"
        />
      </section>
      <details>
        <summary>Source</summary>
        {code}
      </details>
    </figure>
  )
}
