import { setImmediate as breathe } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { pageAddress } from './page-address.ts'

export interface PageLinks {
  /** Where the page leads, each place once, in the order of the page. */
  links: string[]
  mayIndex: boolean
}

const sliceLength = 64 * 1024
const mostRead = 4 * 1024 * 1024
const mostLinks = 5000

/** The links that a page lets a machine follow, and whether it lets its text be kept. */
export async function readLinks(html: string, address: string, agent: string): Promise<PageLinks> {
  let base = address
  let baseIsSet = false
  let rules = ''
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'base' && !baseIsSet && attributes.href !== undefined) {
        baseIsSet = true
        base = pageAddress(attributes.href, address)?.href ?? address
      } else if (name === 'meta') {
        const target = attributes.name?.trim().toLowerCase()
        if (target === 'robots' || target === agent) rules += `,${attributes.content ?? ''}`
      } else if ((name === 'a' || name === 'area') && attributes.href !== undefined && found.length < mostLinks) {
        if (!/\bnofollow\b/i.test(attributes.rel ?? '')) found.push(attributes.href)
      }
    },
  })
  const end = Math.min(html.length, mostRead)
  for (let at = 0; at < end; at += sliceLength) {
    parser.write(html.slice(at, Math.min(end, at + sliceLength)))
    await breathe() // a large page does not hold up everybody else
  }
  parser.end()
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
