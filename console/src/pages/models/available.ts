import type { Schemas } from '@parley/client'
import { useRef, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { providerNamed } from './providers.ts'

type Available = Schemas['AvailableModels']

interface Address {
  provider: string
  endpoint: string
  api_key: string
}

const unknown: Available = { status: 'unavailable', error: 'Not requested yet.', models: [] }

/** The models that the provider of a draft offers, requested once per address and key. */
export function useAvailable({ provider, endpoint, api_key: key }: Address, model?: Schemas['Model']) {
  const [answer, setAnswer] = useState(unknown)
  const lastRequest = useRef<{ address: string; answer: Promise<Available> }>(undefined)
  const address = JSON.stringify([provider, endpoint, key])
  const known = providerNamed(provider)
  // A stored key is only sent to the address it was stored for.
  const isStored = model?.api_key_set === true && model.provider === provider && (model.endpoint ?? '') === endpoint
  const hasKey = key !== '' || isStored || (known?.key !== 'required' && !model?.api_key_set)
  const hasEndpoint = endpoint !== '' || typeof known?.endpoint === 'string'
  const load = (): Promise<Available> => {
    if (lastRequest.current?.address === address) return lastRequest.current.answer
    if (!hasKey || !hasEndpoint) return Promise.resolve(unknown)
    const next = parley.models
      .available({
        provider,
        endpoint: endpoint || null,
        ...(key !== '' && { api_key: key }),
        ...(model && { model: model.id }),
      })
      // Saving the model reports an invalid address.
      .catch(() => unknown)
    lastRequest.current = { address, answer: next }
    setAnswer(unknown)
    void next.then((value) => lastRequest.current?.address === address && setAnswer(value))
    return next
  }
  const isCurrent = lastRequest.current?.address === address
  const { status, error, models } = isCurrent ? answer : unknown
  return {
    load,
    models,
    keyError: status === 'refused' ? (error ?? undefined) : undefined,
    /** Why the provider did not list its models. The model can be named all the same. */
    failure: isCurrent && answer !== unknown && status === 'unavailable' ? error : null,
    hint: models.length > 0 ? `${models.length} offered by the provider.` : 'The provider’s name for the model.',
  }
}
