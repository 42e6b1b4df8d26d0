import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRobots } from './robots.ts'

const allows = (text: string, path: string): boolean =>
  parseRobots(text, 'parley').allows(new URL(path, 'https://example.com'))

const all = (rules: string): string => `User-agent: *\n${rules}`

const table: [rules: string, path: string, allowed: boolean][] = [
  ['', '/a', true],
  ['Disallow:', '/a', true],
  ['Disallow: /', '/a', false],
  ['Disallow: /', '/robots.txt', true],
  ['Disallow: /private', '/private', false],
  ['Disallow: /private', '/private/deep?x=1', false],
  ['Disallow: /private', '/privately', false],
  ['Disallow: /private/', '/private', true],
  ['Disallow: /private', '/Private', true],
  ['disallow : /private   # why', '/private', false],
  ['Disallow: private', '/private', false],
  ['Disallow: /\nAllow: /open', '/open/a', true],
  ['Allow: /open\nDisallow: /', '/closed', false],
  ['Allow: /page\nDisallow: /page', '/page', true],
  ['Allow: /p\nDisallow: /page', '/page', false],
  ['Disallow: /*.pdf', '/files/a.pdf?download', false],
  ['Disallow: /*.pdf$', '/files/a.pdf?download', true],
  ['Disallow: /*.pdf$', '/files/a.pdf', false],
  ['Disallow: *.pdf$', '/files/a.pdf', false],
  ['Disallow: /a*b*c$', '/a/b/c/b/c', false],
  ['Disallow: /a*b*c$', '/a/c/b', true],
  ['Disallow: /fish*', '/fish', false],
  ['Disallow: /$', '/', false],
  ['Disallow: /$', '/a', true],
  ['Disallow: /a$b', '/a$b', false],
  ['Disallow: /a$b', '/a', true],
  ['Disallow: /a%2Ab', '/a*b', false],
  ['Disallow: /a%2Ab', '/axb', true],
  ['Disallow: /%7Euser', '/~user', false],
  ['Disallow: /~user', '/%7euser', false],
  ['Disallow: /straße', '/stra%C3%9Fe', false],
  ['Disallow: /stra%c3%9fe', '/straße', false],
  ['Disallow: /search?q=', '/search?q=a', false],
  ['Disallow: /*?', '/list?page=2', false],
  ['Disallow: /*?', '/list', true],
]

it.each(table)('%j allows %s: %s', (rules, path, allowed) => {
  expect(allows(all(rules), path)).toBe(allowed)
})

it('prefers groups with our user agent over *, ignoring case and version', () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-agent: Parley/2.0\nDisallow: /secret'
  expect([allows(text, '/a'), allows(text, '/secret')]).toEqual([true, false])
})

it('merges groups with our user agent, and supports several agents per group', () => {
  const text =
    'User-agent: other\nUser-agent: parley\nDisallow: /a\nUser-agent: third\nDisallow: /c\nUser-agent: parley\nDisallow: /b'
  expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, false, true])
})

it('does not match an agent that only shares a prefix with ours', () => {
  expect(allows('User-agent: parleybot\nDisallow: /', '/a')).toBe(true)
  expect(allows('User-agent: par\nDisallow: /', '/a')).toBe(true)
})

it('reads every kind of line end and a byte order mark, and ignores unknown lines', () => {
  expect(allows('\uFEFFUser-agent: *\r\nSitemap: https://example.com/s.xml\rnonsense\nDisallow: /a', '/a')).toBe(false)
  expect(allows('Disallow: /a', '/a')).toBe(true)
})

it('reads Crawl-delay', () => {
  expect(parseRobots(all('Crawl-delay: 2.5'), 'parley').delay).toBe(2.5)
  for (const nonsense of ['', 'soon', '-1', 'Infinity'])
    expect(parseRobots(all(`Crawl-delay: ${nonsense}`), 'parley').delay).toBeNull()
})

it('never throws on any input, and always allows robots.txt itself', () => {
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('User-agent', 'Allow', 'Disallow', 'Crawl-delay'), fc.string())
      .map((pair) => pair.join(': ')),
  )
  fc.assert(
    fc.property(fc.array(line), fc.string(), (lines, path) => {
      const robots = parseRobots(lines.join('\n'), 'parley')
      expect(typeof robots.allows(new URL(`/a${path}`, 'https://example.com/'))).toBe('boolean')
      expect(robots.allows(new URL('https://example.com/robots.txt'))).toBe(true)
    }),
  )
})

it('matches like a naive pattern matcher', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
  const pattern = fc.array(letters, { minLength: 1, maxLength: 4 }).map((pieces) => `/${pieces.join('*')}`)
  fc.assert(
    fc.property(pattern, fc.boolean(), letters, (text, anchored, path) => {
      const plain = new RegExp(`^${text.split('*').join('.*')}${anchored ? '$' : ''}`)
      // A pathname of slashes alone would be read as a host, so the path gets a letter first.
      const url = new URL('https://example.com')
      url.pathname = `/a${path}`
      expect(allows(all(`Disallow: ${text}${anchored ? '$' : ''}`), url.href)).toBe(!plain.test(url.pathname))
    }),
    { numRuns: 1000 },
  )
})

it('matches patterns without backtracking', () => {
  // Backtracking over 900 stars would never end.
  const text = all(`Disallow: /${'*a'.repeat(900)}b\n`.repeat(200))
  expect(allows(text, `/${'a'.repeat(1900)}`)).toBe(true)
})
