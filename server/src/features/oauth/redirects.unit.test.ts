import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OAuthProblem } from './errors.ts'
import { isRegistered, redirectTo, requireRedirectUri } from './redirects.ts'

const isAllowed = (uri: unknown): boolean => {
  try {
    requireRedirectUri(uri)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(OAuthProblem)
    return false
  }
}

const schemes = ['https:', 'http:', 'javascript:', 'JaVaScRiPt:', 'data:', ' https:', 'cursor:', '']
const hosts = [
  '//a.example',
  '//127.0.0.1',
  '//localhost',
  '//127.0.0.1.a.example',
  '//u:p@a.example',
  '//[::1]',
  '\\\\a',
  '',
]
const rests = ['/callback', ':99999/x', ':8080/x?y=1', '/#f', '/%00', '/\t', '/é', '']
const addresses = fc.oneof(
  fc
    .tuple(fc.constantFrom(...schemes), fc.constantFrom(...hosts), fc.constantFrom(...rests))
    .map((all) => all.join('')),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string(),
  fc.anything(),
)

it('accepts no redirect URI that a browser would run, or that leads over plain http to another machine', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      if (!isAllowed(address)) return
      const { protocol, hostname, hash, username } = new URL(address as string)
      expect(['javascript:', 'data:', 'file:', 'blob:']).not.toContain(protocol)
      if (protocol === 'http:') expect(['localhost', '127.0.0.1', '[::1]']).toContain(hostname)
      expect([hash, username]).toEqual(['', ''])
    }),
  )
})

it('answers only to where a registered URI leads', () => {
  fc.assert(
    fc.property(addresses, addresses, (registered, requested) => {
      if (!isAllowed(registered) || typeof requested !== 'string') return
      if (!isRegistered(requested, [registered as string])) return
      const answer = new URL(redirectTo(requested, { code: 'c', state: undefined }))
      const { protocol, hostname, pathname } = new URL(registered as string)
      expect([answer.protocol, answer.hostname, answer.pathname]).toEqual([protocol, hostname, pathname])
      expect(answer.searchParams.get('code')).toBe('c')
    }),
  )
})
