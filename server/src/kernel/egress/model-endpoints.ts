import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Problem } from '../errors.ts'
import { addressIn, addressKind } from './addresses.ts'

// An administrator chooses the endpoint of a model. It may be private, but never link-local, where clouds serve the
// credentials of the machine.

const refusal = (host: string) =>
  new Problem('egress_blocked', `Requests to ${host} are blocked: its address is link-local.`)

/** Refuses an endpoint whose host is a link-local IP address. */
export function checkEndpoint(endpoint: string): void {
  const url = new URL(endpoint)
  const address = addressIn(url)
  if (address !== null && addressKind(address) === 'link-local') throw refusal(url.hostname)
}

/** Resolves the host of an endpoint, and refuses link-local addresses at the moment of connecting. */
export const endpointLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    if (addresses.some(({ address }) => addressKind(address) === 'link-local')) return callback(refusal(host), '', 0)
    const [first] = addresses
    if (options.all) return callback(null, addresses)
    callback(null, first?.address ?? '', first?.family ?? 0)
  })
}
