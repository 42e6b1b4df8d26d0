import { BlockList, isIP, isIPv4 } from 'node:net'
import { addressKind } from './addresses.ts'

export interface Target {
  host: string
  port: number
}

/** Whether requests to a target may connect to this address. */
export type IsAllowed = (target: Target, address: string) => boolean

interface AllowEntry {
  matches(host: string, address: string): boolean
  /** Null for every port. */
  port: number | null
}

/** Allows public addresses and the operator's entries: names, `*.names`, addresses and ranges, for one port or all. */
export function createAllowList(entries: readonly string[]): IsAllowed {
  const list = entries.map(parseEntry)
  return ({ host, port }, address) => {
    if (addressKind(address) === 'public') return true
    const name = bareHost(host)
    return list.some((each) => (each.port === null || each.port === port) && each.matches(name, address))
  }
}

/** A host in the form that is compared: lower case, without IPv6 brackets and trailing dot. */
export const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

function parseEntry(entry: string): AllowEntry {
  const [, host = entry, portText] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? []
  const port = portText === undefined ? null : Number(portText)
  const [address = '', bits] = bareHost(host).split('/')
  if (isIP(address) === 0) return { port, matches: (name) => isNamed(bareHost(host), name) }
  const range = new BlockList()
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (bits === undefined) range.addAddress(address, family)
  else range.addSubnet(address, Number(bits), family)
  return { port, matches: (_host, at) => range.check(at, isIPv4(at) ? 'ipv4' : 'ipv6') }
}

const isNamed = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name
