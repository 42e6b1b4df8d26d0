// Draws diagrams for the console. It runs in a sandboxed frame, because a model writes their sources.
const settings = {
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  suppressErrorRendering: true,
  fontFamily: 'system-ui, sans-serif',
  // A source cannot change these.
  secure: [
    'secure',
    'securityLevel',
    'startOnLoad',
    'maxTextSize',
    'maxEdges',
    'suppressErrorRendering',
    'htmlLabels',
    'themeCSS',
  ],
}

let drawings = 0

async function draw(source, isDark) {
  mermaid.initialize({ ...settings, theme: isDark ? 'dark' : 'neutral' })
  const { svg } = await mermaid.render(`drawing${++drawings}`, source)
  const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width, height] = (drawn.getAttribute('viewBox') ?? '').split(' ').map(Number)
  if (!(width > 0 && height > 0)) throw new Error('The drawing is empty.')
  // An image has the size that its file says.
  drawn.setAttribute('width', Math.ceil(width))
  drawn.setAttribute('height', Math.ceil(height))
  return { svg: new XMLSerializer().serializeToString(drawn), width: Math.ceil(width), height: Math.ceil(height) }
}

// One after the other: the settings belong to the page.
let last = Promise.resolve()

addEventListener('message', ({ data: { id, source, isDark } }) => {
  last = last.then(async () => {
    const drawing = await draw(source, isDark).catch(() => null)
    parent.postMessage({ id, drawing }, '*')
  })
})
