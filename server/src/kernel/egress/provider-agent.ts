import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { Problem } from '../errors.ts'
import { addressIn, kindOf } from './addresses.ts'

/**
 * The way to model providers. Their addresses are an administrator's choice and may be private, but never link-local,
 * where clouds keep the machine's own credentials. The address is checked as it is connected to.
 */
export const providerAgent = (): Agent => new Agent({ connect: { lookup: refusingLookup, timeout: 10_000 } })

const refusal = (host: string) =>
  new Problem('egress_blocked', `The address of ${host} is link-local, and a model's endpoint may not be.`)

export function checkEndpoint(endpoint: string): void {
  const url = new URL(endpoint)
  const address = addressIn(url)
  if (address !== null && kindOf(address) === 'link-local') throw refusal(url.hostname)
}

const refusingLookup: LookupFunction = (host, options, answer) => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '', 0)
    if (addresses.some(({ address }) => kindOf(address) === 'link-local')) return answer(refusal(host), '', 0)
    const [first] = addresses
    if (options.all) return answer(null, addresses)
    answer(null, first?.address ?? '', first?.family ?? 0)
  })
}
