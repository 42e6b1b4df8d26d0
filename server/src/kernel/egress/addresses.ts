import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'reserved'

const ranges: [Exclude<AddressKind, 'public'>, string[]][] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  // fd00:ec2::254 and 100.100.100.200 are the metadata services of two clouds.
  ['link-local', ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '100.100.100.200/32']],
  [
    'private',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10', '64:ff9b:1::/48'],
  ],
  [
    'reserved',
    [
      '0.0.0.0/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/4',
      '240.0.0.0/4',
      '::/128',
      '100::/64',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
      'ff00::/8',
    ],
  ],
]

const lists = ranges.map(([kind, entries]) => {
  const list = new BlockList()
  for (const entry of entries) {
    const [address, bits] = entry.split('/') as [string, string]
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return [kind, list] as const
})

/** The kind of an IP address. An IPv6 address that embeds an IPv4 address has the kind of that address. */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/, '')
  const inner = isIPv6(bare) ? embeddedIPv4(bare) : null
  const effective = inner ?? bare
  if (isIP(effective) === 0) return 'reserved'
  const family = isIPv4(effective) ? 'ipv4' : 'ipv6'
  const kind = lists.find(([, list]) => list.check(effective, family))?.[0]
  return kind ?? (family === 'ipv4' || globalUnicast.check(effective, 'ipv6') ? 'public' : 'reserved')
}

/** The part of IPv6 that is allocated for the public internet. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** IPv4-mapped (::ffff:a.b.c.d), -translated and -compatible, NAT64 (64:ff9b::/96) and 6to4 (2002::/16) embed an IPv4 address. */
function embeddedIPv4(address: string): string | null {
  const groups = expand(address)
  const asIPv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number]
  const leadingZero = a === 0 && b === 0 && c === 0 && d === 0 && e === 0
  if (leadingZero && f === 0xffff) return asIPv4(g, h)
  if (leadingZero && f === 0 && (g !== 0 || h > 1)) return asIPv4(g, h)
  if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0xffff && f === 0) return asIPv4(g, h)
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return asIPv4(g, h)
  if (a === 0x2002) return asIPv4(b, c)
  return null
}

function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const plain = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address
  const [head = '', tail] = plain.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16))
}

/** The IP address in a URL, or null if its host is a name. */
export function addressIn(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : host
}
