import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.ts'
import { isOwnHost } from './origin.ts'

const local = { publicUrl: null, corsOrigins: [], trustProxy: false }
const named = { ...local, publicUrl: 'https://parley.example.com' }
const page = 'https://evil.example'

describe('a name by which the service is reached', () => {
  it.each([
    // settings, host, the address of the connection, from a page, accepted
    [local, 'localhost:3000', '127.0.0.1', true, true],
    [local, 'LOCALHOST', '127.0.0.1', false, true],
    [local, '[::1]:3000', '::1', false, true],
    [local, '127.1', '::ffff:127.0.0.1', false, true],
    [local, 'evil.example', '127.0.0.1', false, false],
    [local, '192.0.2.1', '127.0.0.1', false, false],
    [local, '192.0.2.1:3000', '172.17.0.2', true, true], // a published port of a container
    [local, 'localhost:3000', '172.17.0.2', true, true],
    [local, 'parley:3000', '172.17.0.2', true, true], // DNS may have any names for it
    [named, 'parley.example.com:8443', '127.0.0.1', true, true],
    [named, 'parley:3000', '172.17.0.2', false, true], // a program within the cluster
    [named, 'evil.example', '172.17.0.2', true, false],
    [named, '[2001:db8::1]', '2001:db8::1', true, true],
    [{ ...local, trustProxy: 1 }, 'parley.example.com', '127.0.0.1', true, true],
    [{ ...named, trustProxy: 1 }, 'evil.example', '127.0.0.1', true, false],
    [{ ...local, corsOrigins: ['http://parley:3000'] }, 'parley:3000', '127.0.0.1', true, true],
    [{ ...local, corsOrigins: ['*'] }, 'evil.example', '127.0.0.1', true, true],
    [local, 'a b', '172.17.0.2', false, false],
    [local, undefined, '127.0.0.1', false, true],
    [local, 'parley', undefined, false, true], // a socket in the file system
  ])('%o, %s at %s, from a page: %s → %s', (settings, host, localAddress, isPage, accepted) => {
    expect(isOwnHost(settings, { host, origin: isPage ? page : undefined, localAddress })).toBe(accepted)
  })

  it('is never that of a stranger on loopback, however it is written', () => {
    const host = fc.oneof(
      fc.domain().map((domain) => `${domain}.example`),
      fc
        .tuple(fc.constantFrom('localhost', '127.0.0.1', 'parley.example.com', ''), fc.domain())
        .map((parts) => parts.join('.')),
    )
    const port = fc.constantFrom('', ':', ':3000')
    fc.assert(
      fc.property(host, port, fc.boolean(), (name, suffix, isPage) => {
        const reached = { host: name + suffix, origin: isPage ? page : undefined, localAddress: '127.0.0.1' }
        expect([isOwnHost(local, reached), isOwnHost(named, reached)]).toEqual([false, false])
      }),
    )
  })

  it('may be anything, without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (host) => {
        expect(typeof isOwnHost(named, { host, origin: page, localAddress: '10.0.0.1' })).toBe('boolean')
      }),
    )
  })
})
