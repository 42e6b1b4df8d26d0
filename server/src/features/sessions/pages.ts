import { createHash } from 'node:crypto'
import type { Reply } from '../../kernel/http/app.ts'

interface Link {
  text: string
  href: string
}

interface Page {
  status: number
  title: string
  paragraphs: (string | { text: string; link: Link | null })[]
  /** Links of the page. The first one is the primary action. */
  links: Link[]
}

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:28rem;padding:2rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}p{margin:0 0 1rem}
nav{display:flex;gap:1.25rem;flex-wrap:wrap;margin-top:1.5rem}.id{font-size:.8125rem;opacity:.75;margin:1.5rem 0 0}`

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Answers a browser with a page instead of JSON. All values are escaped. */
export function sendPage(reply: Reply, { status, title, paragraphs, links }: Page): Reply {
  const lines = paragraphs.map((each) => {
    if (typeof each === 'string') return `<p>${escaped(each)}</p>`
    return `<p>${escaped(each.text)}${each.link ? ` ${anchor(each.link)}` : ''}</p>`
  })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Parley</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.join('\n')}
<nav aria-label="What next">${links.map(anchor).join(' ')}</nav>
<p class="id">Request ${escaped(String(reply.request.id))}</p>
</main>
</body>
</html>
`
  return reply
    .status(status)
    .headers({
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}

const anchor = ({ text, href }: Link): string => `<a href="${escaped(href)}">${escaped(text)}</a>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] as string)
