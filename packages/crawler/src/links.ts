import { pageAddress } from './page-address.ts'
import { readTags } from './tags.ts'

export interface PageLinks {
  /** Where the page leads, each place once, in the order of the page. */
  links: string[]
  mayIndex: boolean
}

const mostRead = 4 * 1024 * 1024
const mostLinks = 5000

/** The links that a page lets a machine follow, and whether it lets its text be kept. */
export async function readLinks(html: string, address: string, agent: string): Promise<PageLinks> {
  let base = address
  let baseIsSet = false
  let rules = ''
  const found: string[] = []
  await readTags(html.slice(0, mostRead), {
    open(name, attributes) {
      const href = attributes.get('href')
      if (name === 'base' && !baseIsSet && href !== undefined) {
        baseIsSet = true
        base = pageAddress(href, address)?.href ?? address
      } else if (name === 'meta') {
        const target = attributes.get('name')?.trim().toLowerCase()
        if (target === 'robots' || target === agent) rules += `,${attributes.get('content') ?? ''}`
      } else if ((name === 'a' || name === 'area') && href !== undefined && found.length < mostLinks) {
        if (!/\bnofollow\b/i.test(attributes.get('rel') ?? '')) found.push(href)
      }
    },
  })
  const { mayIndex, mayFollow } = robotsRules(rules)
  const links = mayFollow ? found.flatMap((href) => pageAddress(href, base)?.href ?? []) : []
  return { links: [...new Set(links)], mayIndex }
}

/** What a robots meta element or an X-Robots-Tag header permits. */
export function robotsRules(content: string): { mayIndex: boolean; mayFollow: boolean } {
  const rules = new Set(content.toLowerCase().split(/[\s,]+/))
  const none = rules.has('none')
  return { mayIndex: !none && !rules.has('noindex'), mayFollow: !none && !rules.has('nofollow') }
}
