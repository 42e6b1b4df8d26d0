import type { NavigationGroup, NavigationLink } from './navigation.ts'
import type { Heading } from './render.ts'
import type { Hit } from './search.ts'

export interface Site {
  version: string
  navigation: NavigationGroup[]
  /** The addresses of the stylesheet and the script. */
  style: string
  script: string
}

interface Content {
  url: string
  title: string
  description?: string
  html: string
  headings?: Heading[]
  query?: string
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] as string)

const logo = `<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M8 10.5A2.5 2.5 0 0 1 10.5 8h7A2.5 2.5 0 0 1 20 10.5v4a2.5 2.5 0 0 1-2.5 2.5H13l-3.6 2.9a.5.5 0 0 1-.8-.4V17A2.5 2.5 0 0 1 8 14.5z" fill="var(--on-accent)"/><path d="M22 13.5A2.5 2.5 0 0 1 24 16v4a2.5 2.5 0 0 1-.6 1.6V24a.5.5 0 0 1-.8.4L20 22.500h-4.500a2.500 2.500 0 0 1-2.300-1.500l1.500-1.500H18a4 4 0 0 0 4-4z" fill="var(--on-accent)" opacity=".65"/></svg>`

/** The bar on top of every page, and of the API reference. */
export const header = (current: string, query = ''): string => `<header class="bar">
<a class="brand" href="/docs">${logo}<span>Parley <small>docs</small></span></a>
<form role="search" action="/docs/search"><input type="search" name="q" maxlength="200" placeholder="Search the docs" aria-label="Search the docs" value="${escaped(query)}" required></form>
<nav class="top" aria-label="Site">${topLinks.map(({ url, title }) => anchor(url, title, current)).join('')}</nav>
</header>`

const topLinks: NavigationLink[] = [
  { url: '/docs', title: 'Guides' },
  { url: '/docs/reference', title: 'API reference' },
  { url: '/', title: 'Console' },
]

const anchor = (url: string, title: string, current: string): string =>
  `<a href="${escaped(url)}"${url === current ? ' aria-current="page"' : ''}>${escaped(title)}</a>`

export const page = (
  site: Site,
  { url, title, description = '', html, headings = [], query }: Content,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === 'Parley' ? 'Parley docs' : `${title} · Parley docs`)}</title>
<meta name="description" content="${escaped(description.slice(0, 160))}">
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="${site.style}">
<script src="${site.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${header(url, query)}
<div class="layout">
<aside class="pages"><details open><summary>All pages</summary>${navigation(site, url)}</details></aside>
<main id="content">
<article>
${html}</article>
${neighbours(site, url)}
<footer>Parley ${escaped(site.version)} · Apache-2.0</footer>
</main>
${contents(headings)}
</div>
</body>
</html>
`

const navigation = (site: Site, current: string): string =>
  `<nav aria-label="Pages">${site.navigation
    .map(
      ({ title, links }) =>
        `<section><h2>${escaped(title)}</h2><ul class="links">${links
          .map((link) => `<li>${anchor(link.url, link.title, current)}</li>`)
          .join('')}</ul></section>`,
    )
    .join('')}</nav>`

function contents(headings: Heading[]): string {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ id, text, level }) => `<li class="level-${level}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
  )
  return `<aside class="contents"><nav aria-label="On this page"><h2>On this page</h2><ul class="links">${items.join('')}</ul></nav></aside>`
}

function neighbours(site: Site, current: string): string {
  const links = site.navigation.flatMap((group) => group.links)
  const at = links.findIndex(({ url }) => url === current)
  if (at < 0 && current !== '/docs') return ''
  const card = (link: NavigationLink | undefined, label: string, rel: string): string =>
    link === undefined
      ? ''
      : `<a rel="${rel}" href="${escaped(link.url)}"><small>${label}</small>${escaped(link.title)}</a>`
  return `<nav class="neighbours" aria-label="Previous and next page">${card(links[at - 1], 'Previous', 'prev')}${card(links[at + 1], 'Next', 'next')}</nav>`
}

export const notFound = (site: Site): string =>
  page(site, {
    url: '',
    title: 'Page not found',
    html: '<h1>Page not found</h1><p>There is no such page in these docs. Search above, choose a page from the list, or go to the <a href="/docs">start of the docs</a>.</p>\n',
  })

export function searchResults(site: Site, query: string, hits: Hit[]): string {
  const items = hits.map(
    ({ url, page: title, heading, excerpt }) =>
      `<li><a href="${escaped(url)}">${escaped(title === heading ? title : `${title}: ${heading}`)}</a><p>${escaped(excerpt)}</p></li>`,
  )
  const answer =
    query === ''
      ? '<p>Type what you are looking for into the field above.</p>'
      : hits.length === 0
        ? `<p>Nothing was found for “${escaped(query)}”. Try other words.</p>`
        : `<p>${hits.length} ${hits.length === 1 ? 'section' : 'sections'} for “${escaped(query)}”</p><ol class="hits">${items.join('')}</ol>`
  return page(site, { url: '/docs/search', title: 'Search', html: `<h1>Search</h1>${answer}\n`, query })
}
