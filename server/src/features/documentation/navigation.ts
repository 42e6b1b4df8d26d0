import MarkdownIt from 'markdown-it'
import { home, resolveLink } from './library.ts'

export interface NavigationLink {
  url: string
  title: string
}

export interface NavigationGroup {
  title: string
  links: NavigationLink[]
}

/** The home page is the table of contents: its headings are the groups, its links the pages in their order. */
export function readNavigation(text: string): NavigationGroup[] {
  const groups: NavigationGroup[] = []
  const tokens = new MarkdownIt().parse(text, {})
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open' && token.tag === 'h2')
      groups.push({ title: tokens[at + 1]?.content ?? '', links: [] })
    const children = token.children ?? []
    children.forEach((child, index) => {
      const url = child.type === 'link_open' ? resolveLink(home, String(child.attrGet('href') ?? '')) : null
      const group = groups.at(-1)
      if (group && url?.startsWith('/docs') && !url.includes('#') && !isListed(groups, url))
        group.links.push({ url, title: children[index + 1]?.content ?? '' })
    })
  })
  return groups
}

const isListed = (groups: NavigationGroup[], url: string): boolean =>
  groups.some(({ links }) => links.some((link) => link.url === url))
