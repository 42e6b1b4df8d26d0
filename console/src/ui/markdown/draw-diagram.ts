export interface Drawing {
  svg: string
  width: number
  height: number
}

const maxLength = 10_000
const maxTime = 15_000

let frame: Promise<HTMLIFrameElement> | undefined
let requests = 0

/**
 * Draws a Mermaid diagram, or returns null if it cannot be drawn. It is drawn in a frame without the origin of the console:
 * nothing in the source reaches this page. The frame and Mermaid are loaded with the first diagram.
 */
export async function drawDiagram(source: string, isDark: boolean): Promise<Drawing | null> {
  if (source.length > maxLength) return null
  frame ??= openFrame()
  const opened = await frame
  const { contentWindow } = opened
  const id = ++requests
  return new Promise((resolve) => {
    const finish = (drawing: Drawing | null) => {
      removeEventListener('message', receive)
      clearTimeout(timer)
      resolve(drawing)
    }
    const receive = ({ source: sender, data }: MessageEvent<{ id: number; drawing: unknown }>) => {
      if (sender === contentWindow && data.id === id) finish(isDrawing(data.drawing) ? data.drawing : null)
    }
    // A frame that is stuck is replaced for the next diagram.
    const timer = setTimeout(() => {
      opened.remove()
      frame = undefined
      finish(null)
    }, maxTime)
    addEventListener('message', receive)
    contentWindow?.postMessage({ id, source, isDark }, '*')
  })
}

function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe')
  element.className = 'diagram-frame'
  element.title = 'Diagrams'
  element.tabIndex = -1
  element.setAttribute('aria-hidden', 'true')
  element.setAttribute('sandbox', 'allow-scripts')
  element.src = '/diagrams/frame.html'
  document.body.append(element)
  return new Promise((resolve) => element.addEventListener('load', () => resolve(element), { once: true }))
}

function isDrawing(value: unknown): value is Drawing {
  const { svg, width, height } = (value ?? {}) as Partial<Drawing>
  return typeof svg === 'string' && typeof width === 'number' && typeof height === 'number'
}
