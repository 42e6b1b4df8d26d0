import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayBePage, normalizeUrl, siteKey } from './page-url.ts'

const table: [href: string, address: string | null][] = [
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://EXAMPLE.com:443/a#part', 'https://example.com/a'],
  ['http://example.com:80/a?', 'http://example.com/a'],
  ['http://example.com:8080/a', 'http://example.com:8080/a'],
  ['https://example.com./a', 'https://example.com/a'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/%7euser/%41%2f%c3%9f', 'https://example.com/~user/A%2F%C3%9F'],
  ['https://example.com/a?utm_source=x&id=3&fbclid=y', 'https://example.com/a?id=3'],
  ['https://example.com/a?utm_source=x', 'https://example.com/a'],
  ['https://example.com/a?b=1&&c=2&', 'https://example.com/a?b=1&c=2'],
  ['  next\n', 'https://example.com/folder/next'],
  ['//other.example/x', 'https://other.example/x'],
  ['?page=2', 'https://example.com/folder/page?page=2'],
  ['#top', 'https://example.com/folder/page'],
  ['mailto:a@example.com', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['ftp://example.com/a', null],
  ['https://', null],
  [`https://example.com/${'a'.repeat(3000)}`, null],
]

it.each(table)('normalizes %j to %j', (href, address) => {
  expect(normalizeUrl(href, 'https://example.com/folder/page')?.href ?? null).toBe(address)
})

it('is idempotent', () => {
  const href = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc.string({ unit: fc.constantFrom('%', '4', '1', '2', 'F', 'e', '/', '?', '.') }),
  )
  fc.assert(
    fc.property(href, (text) => {
      const once = normalizeUrl(text, 'https://example.com/')
      if (once) expect(normalizeUrl(once.href)?.href).toBe(once.href)
    }),
    { numRuns: 2000 },
  )
})

it('treats www and both schemes as one site, but not other ports or subdomains', () => {
  const same = (a: string, b: string) => siteKey(new URL(a)) === siteKey(new URL(b))
  expect(same('http://example.com', 'https://www.example.com/a')).toBe(true)
  expect(same('http://example.com', 'http://example.com:8080')).toBe(false)
  expect(same('http://example.com', 'http://docs.example.com')).toBe(false)
  expect(same('http://example.com', 'http://example.com.evil.net')).toBe(false)
})

it('skips images and archives by extension', () => {
  expect(['/a.PNG', '/a.tar.gz', '/app.js'].map((path) => mayBePage(new URL(path, 'http://x')))).toEqual([
    false,
    false,
    false,
  ])
  expect(['/', '/a.pdf', '/v1.2', '/a.html', '/png'].map((path) => mayBePage(new URL(path, 'http://x')))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})
