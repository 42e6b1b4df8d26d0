import { maxUrlLength, normalizeEscapes } from './page-url.ts'

/** The rules of a robots.txt (RFC 9309). */
export interface Robots {
  allows(url: URL): boolean
  /** `Crawl-delay` in seconds. */
  delay: number | null
}

interface Group {
  agents: string[]
  rules: Rule[]
  delay: number | null
}

interface Rule {
  allow: boolean
  /** The parts of the pattern between `*`. */
  pieces: string[]
  /** The pattern ends with `$`. */
  anchored: boolean
  length: number
}

export const allowAll: Robots = { allows: () => true, delay: null }
export const disallowAll: Robots = { allows: () => false, delay: null }

/** Uses the groups for the agent, or those for `*` if there are none. */
export function parseRobots(text: string, agent: string): Robots {
  const groups = parseGroups(text)
  const own = groups.filter((group) => group.agents.includes(agent))
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.includes('*'))
  const rules = chosen
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  return {
    delay: chosen.find((group) => group.delay !== null)?.delay ?? null,
    allows(url) {
      if (url.pathname === '/robots.txt') return true
      const path = normalizeEscapes(url.pathname + url.search)
        .replaceAll('*', '%2A')
        .replaceAll('$', '%24')
      return rules.find((rule) => matches(rule, path))?.allow ?? true
    },
  }
}

function parseGroups(text: string): Group[] {
  const groups: Group[] = []
  let current: Group | undefined
  let namesAgents = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [name, value] = parseField(line)
    if (name === 'user-agent') {
      if (!namesAgents || !current) {
        current = { agents: [], rules: [], delay: null }
        groups.push(current)
      }
      current.agents.push(agentToken(value))
      namesAgents = true
    } else if (current && (name === 'allow' || name === 'disallow')) {
      namesAgents = false
      if (value !== '' && value.length <= maxUrlLength) current.rules.push(parseRule(name === 'allow', value))
    } else if (current && name === 'crawl-delay') {
      namesAgents = false
      const seconds = Number(value)
      if (value !== '' && Number.isFinite(seconds) && seconds >= 0) current.delay ??= seconds
    }
  }
  return groups
}

function parseField(line: string): [name: string, value: string] {
  const [content = ''] = line.split('#', 1)
  const colon = content.indexOf(':')
  return colon < 0 ? ['', ''] : [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]
}

/** The product name without its version or URL. */
const agentToken = (value: string): string =>
  value.startsWith('*') ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()

function parseRule(allow: boolean, value: string): Rule {
  const anchored = value.endsWith('$')
  const rooted = /^[/*]/.test(value) ? value : `/${value}`
  const pattern = normalizeEscapes(escapeNonAscii(anchored ? rooted.slice(0, -1) : rooted)).replaceAll('$', '%24')
  return { allow, pieces: pattern.split('*'), anchored, length: pattern.length + Number(anchored) }
}

const escapeNonAscii = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

/** Matches piece by piece instead of with a regular expression, whose time could grow exponentially. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = '', ...others] = pieces
  if (!path.startsWith(first)) return false
  if (others.length === 0) return !anchored || path.length === first.length
  let at = first.length
  const last = anchored ? others.pop() : undefined
  for (const piece of others) {
    const index = path.indexOf(piece, at)
    if (index < 0) return false
    at = index + piece.length
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last))
}
