import { normalizeUrl } from './page-url.ts'
import { readTags } from './tags.ts'

export interface PageLinks {
  /** Distinct URLs in the order of the page. */
  links: string[]
  mayIndex: boolean
}

const maxCharacters = 4 * 1024 * 1024
const maxLinks = 5000

/** Extracts links, and obeys robots meta elements and `rel="nofollow"`. */
export async function readLinks(html: string, url: string, userAgent: string): Promise<PageLinks> {
  let base = url
  let hasBase = false
  let rules = ''
  const hrefs: string[] = []
  await readTags(html.slice(0, maxCharacters), {
    open(name, attributes) {
      const href = attributes.get('href')
      if (name === 'base' && !hasBase && href !== undefined) {
        hasBase = true
        base = normalizeUrl(href, url)?.href ?? url
      } else if (name === 'meta') {
        const target = attributes.get('name')?.trim().toLowerCase()
        if (target === 'robots' || target === userAgent) rules += `,${attributes.get('content') ?? ''}`
      } else if ((name === 'a' || name === 'area') && href !== undefined && hrefs.length < maxLinks) {
        if (!/\bnofollow\b/i.test(attributes.get('rel') ?? '')) hrefs.push(href)
      }
    },
  })
  const { mayIndex, mayFollow } = robotsRules(rules)
  const links = mayFollow ? hrefs.flatMap((href) => normalizeUrl(href, base)?.href ?? []) : []
  return { links: [...new Set(links)], mayIndex }
}

/** The rules of a robots meta element or an `X-Robots-Tag` header. */
export function robotsRules(content: string): { mayIndex: boolean; mayFollow: boolean } {
  const rules = new Set(content.toLowerCase().split(/[\s,]+/))
  const none = rules.has('none')
  return { mayIndex: !none && !rules.has('noindex'), mayFollow: !none && !rules.has('nofollow') }
}
