// The pages work without this script. It runs before anything is painted, so that they have the colours of the console.
document.documentElement.dataset.theme = localStorage.getItem('parley-theme') ?? 'system'

// The API reference was at /docs, and links to its parts and sign-in links are still around.
if (location.pathname === '/docs' && /^#(?:\/|token=)/.test(location.hash))
  location.replace(`/docs/reference${location.hash}`)

const say = (button, text) => {
  button.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

function addCopyButton(figure) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(figure.querySelector('code').textContent).then(
      () => say(button, 'Copied'),
      () => say(button, 'Could not copy'),
    ),
  )
  figure.querySelector('figcaption').append(button)
}

/** Makes parts that scroll reachable with the keyboard. */
function markScrolling() {
  for (const part of document.querySelectorAll('.table, .code pre, article p:has(> img)')) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
    else part.removeAttribute('tabindex')
  }
}

/** The section that is being read is marked in the contents. */
function followReading() {
  const links = new Map([...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]))
  const headings = [...document.querySelectorAll('article :is(h2, h3)[id]')].filter(({ id }) => links.has(id))
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const current = passed.at(-1) ?? headings[0]
    for (const [id, link] of links) link.classList.toggle('current', id === current?.id)
  }
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true })
  mark()
}

addEventListener('DOMContentLoaded', () => {
  for (const figure of document.querySelectorAll('figure.code')) addCopyButton(figure)
  markScrolling()
  addEventListener('resize', markScrolling)
  followReading()
  const wide = matchMedia('(min-width: 900px)')
  const menu = document.querySelector('.pages details')
  const arrange = () => menu?.toggleAttribute('open', wide.matches)
  wide.addEventListener('change', arrange)
  arrange()
  addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    document.querySelector('input[type=search]')?.focus()
  })
})
