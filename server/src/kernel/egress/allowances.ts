import { BlockList, isIP, isIPv4 } from 'node:net'
import { kindOf } from './addresses.ts'

export interface Place {
  host: string
  port: number
}

/** Whether a place may be called at this address. */
export type Allowed = (place: Place, address: string) => boolean

interface Allowance {
  matches(host: string, address: string): boolean
  /** Null for every port. */
  port: number | null
}

/** What the operator allows beside the public internet: names, `*.names`, addresses and ranges, each with a port or with all. */
export function allowances(entries: readonly string[]): Allowed {
  const list = entries.map(readAllowance)
  return ({ host, port }, address) => {
    if (kindOf(address) === 'public') return true
    const name = bareHost(host)
    return list.some((each) => (each.port === null || each.port === port) && each.matches(name, address))
  }
}

/** A host as it is compared: lower case, without the brackets of IPv6 and without the dot of the root. */
export const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

function readAllowance(entry: string): Allowance {
  const [, place = entry, portText] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? []
  const port = portText === undefined ? null : Number(portText)
  const [address = '', bits] = bareHost(place).split('/')
  if (isIP(address) === 0) return { port, matches: (host) => isNamed(bareHost(place), host) }
  const range = new BlockList()
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (bits === undefined) range.addAddress(address, family)
  else range.addSubnet(address, Number(bits), family)
  return { port, matches: (_host, at) => range.check(at, isIPv4(at) ? 'ipv4' : 'ipv6') }
}

const isNamed = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name
