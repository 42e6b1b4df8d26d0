import { longestAddress, plainEscapes } from './page-address.ts'

/** What a site asks of those who read it by machine (RFC 9309). */
export interface Robots {
  allows(url: URL): boolean
  /** Seconds between two requests, where the site asks for it. */
  delay: number | null
}

interface Group {
  agents: string[]
  rules: Rule[]
  delay: number | null
}

interface Rule {
  allow: boolean
  /** The pieces between the stars. */
  pieces: string[]
  /** Whether the path must end where the pattern does. */
  anchored: boolean
  length: number
}

export const everythingAllowed: Robots = { allows: () => true, delay: null }
export const nothingAllowed: Robots = { allows: () => false, delay: null }

/** Reads robots.txt for one agent: its own groups together or, where there are none, those for everybody. */
export function parseRobots(text: string, agent: string): Robots {
  const groups = groupsOf(text)
  const own = groups.filter((group) => group.agents.includes(agent))
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.includes('*'))
  const rules = chosen
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  return {
    delay: chosen.find((group) => group.delay !== null)?.delay ?? null,
    allows(url) {
      if (url.pathname === '/robots.txt') return true
      const path = plainEscapes(url.pathname + url.search)
        .replaceAll('*', '%2A')
        .replaceAll('$', '%24')
      return rules.find((rule) => matches(rule, path))?.allow ?? true
    },
  }
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let open: Group | undefined
  let namesAgents = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [name, value] = fieldOf(line)
    if (name === 'user-agent') {
      if (!namesAgents || !open) {
        open = { agents: [], rules: [], delay: null }
        groups.push(open)
      }
      open.agents.push(agentOf(value))
      namesAgents = true
    } else if (open && (name === 'allow' || name === 'disallow')) {
      namesAgents = false
      if (value !== '' && value.length <= longestAddress) open.rules.push(ruleOf(name === 'allow', value))
    } else if (open && name === 'crawl-delay') {
      namesAgents = false
      const seconds = Number(value)
      if (value !== '' && Number.isFinite(seconds) && seconds >= 0) open.delay ??= seconds
    }
  }
  return groups
}

function fieldOf(line: string): [name: string, value: string] {
  const [content = ''] = line.split('#', 1)
  const colon = content.indexOf(':')
  return colon < 0 ? ['', ''] : [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]
}

/** The name alone: what follows it (a version, an address) says nothing about who is meant. */
const agentOf = (value: string): string =>
  value.startsWith('*') ? '*' : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase()

function ruleOf(allow: boolean, value: string): Rule {
  const anchored = value.endsWith('$')
  const rooted = /^[/*]/.test(value) ? value : `/${value}`
  const pattern = plainEscapes(escapeBeyondAscii(anchored ? rooted.slice(0, -1) : rooted)).replaceAll('$', '%24')
  return { allow, pieces: pattern.split('*'), anchored, length: pattern.length + Number(anchored) }
}

const escapeBeyondAscii = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

/** Piece by piece from the left, so that no pattern takes longer than its own length times the path's. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = '', ...others] = pieces
  if (!path.startsWith(first)) return false
  if (others.length === 0) return !anchored || path.length === first.length
  let at = first.length
  const last = anchored ? others.pop() : undefined
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last))
}
