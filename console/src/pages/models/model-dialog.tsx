import type { BodyOf, Schemas } from '@parley/client'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField, ComboField, NumberField, SelectField, TextField } from '../../ui/field.tsx'
import { useAvailable } from './available.ts'
import { providerNamed, providers } from './providers.ts'

type Model = Schemas['Model']

interface ModelDialogProps {
  onClose: () => void
  model?: Model
}

const decimals = 1e9
const perMillion = (price: number | undefined): number | null =>
  price === undefined ? null : Math.round(price * 1000 * decimals) / decimals
const perThousand = (price: number): number => Number((price / 1000).toPrecision(12))

const draftOf = (model: Model | undefined) => ({
  provider: model?.provider ?? 'openai',
  name: model?.name ?? '',
  model_id: model?.model_id ?? '',
  type: (model?.type ?? '') as Model['type'] | '',
  api_key: '',
  endpoint: model?.endpoint ?? '',
  input: perMillion(model?.pricing?.input),
  output: perMillion(model?.pricing?.output),
  context_window: model?.context_window ?? null,
  images: (model ? (model.input_modalities.includes('image') ? 'yes' : 'no') : '') as 'yes' | 'no' | '',
  is_default: model?.is_default ?? false,
})
type Draft = ReturnType<typeof draftOf>

/** The request body. The key is sent only if one was entered; otherwise the stored key stays. */
function bodyOf(draft: Draft, model: Model | undefined): BodyOf<'/models', 'post'> {
  const { api_key: key, endpoint, input, output, type, images, ...rest } = draft
  const hasPrice = input !== null || output !== null
  return {
    ...rest,
    ...(type !== '' && { type }),
    ...(images !== '' && { input_modalities: withImages(model?.input_modalities ?? ['text'], images === 'yes') }),
    name: rest.name || rest.model_id,
    endpoint: endpoint || null,
    pricing: hasPrice
      ? {
          ...(input !== null && { input: perThousand(input) }),
          ...(output !== null && { output: perThousand(output) }),
        }
      : null,
    ...((key !== '' || !model) && { api_key: key || null }),
  }
}

const withImages = (given: Model['input_modalities'], sees: boolean): Model['input_modalities'] => [
  ...given.filter((modality) => modality !== 'image'),
  ...(sees ? (['image'] as const) : []),
]

export function ModelDialog({ onClose, model }: ModelDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(model))
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const provider = providerNamed(draft.provider)
  const available = useAvailable(draft, model)
  const save = useSave({
    invalidates: ['models', 'status'],
    run: async () => {
      const { status, error } = await available.load()
      if (status === 'refused') return null
      const body = bodyOf(draft, model)
      const { name } = await (model ? parley.models.update(model.id, body) : parley.models.create(body))
      return { name, isReached: error === null }
    },
    toast: (saved) =>
      saved ? `${saved.name} ${saved.isReached ? 'connected' : 'saved. Test it to check the connection.'}` : '',
    onDone: (saved) => saved && onClose(),
  })
  const choose = (id: string) => {
    const known = available.models.find((each) => each.model_id === id)
    change({
      model_id: id,
      ...(known?.context_window && { context_window: known.context_window }),
      ...(known?.pricing && {
        input: perMillion(known.pricing.input),
        output: perMillion(known.pricing.output),
      }),
    })
  }
  return (
    <FormDialog
      title={model ? `Edit ${model.name}` : 'Connect a model'}
      description="The API key is stored encrypted and never shown again."
      save={save}
      action={model ? 'Save' : 'Connect'}
      isComplete={draft.model_id.trim() !== ''}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <SelectField
            label="Provider"
            value={draft.provider}
            onChange={(value) => change({ provider: value, endpoint: '' })}
            options={provider ? providers : [...providers, { value: draft.provider, label: draft.provider }]}
          />
          {provider?.key !== 'none' && (
            <TextField
              label={provider?.key === 'required' ? 'API key' : 'API key (optional)'}
              type="password"
              autoComplete="off"
              value={draft.api_key}
              placeholder={model?.api_key_set ? `Unchanged (…${model.api_key_hint})` : ''}
              error={errorAt('api_key') ?? available.keyError}
              onChange={(key) => change({ api_key: key })}
            />
          )}
          <TextField
            label={provider?.endpoint === null ? 'Endpoint' : 'Endpoint (optional)'}
            {...(model && {
              hint: 'If you change the endpoint, enter the API key again.',
            })}
            value={draft.endpoint}
            placeholder={provider?.endpoint ?? 'https://…/v1'}
            error={errorAt('endpoint')}
            onChange={(endpoint) => change({ endpoint })}
          />
          <div className="columns">
            <ComboField
              label="Model ID"
              hint={available.hint}
              value={draft.model_id}
              placeholder={provider?.examples ?? ''}
              error={errorAt('model_id')}
              options={available.models.map(({ model_id: id }) => id)}
              onFocus={() => void available.load()}
              onChange={choose}
            />
            <TextField
              label="Name"
              hint="Display name. Defaults to the model ID."
              value={draft.name}
              placeholder={draft.model_id}
              error={errorAt('name')}
              onChange={(name) => change({ name })}
            />
          </div>
          <div className="columns">
            <SelectField
              label="Type"
              value={draft.type}
              onChange={(type) => change({ type: type as Draft['type'] })}
              options={[
                ...(model ? [] : [{ value: '', label: 'Detect from the model ID' }]),
                { value: 'chat', label: 'Chat' },
                { value: 'embedding', label: 'Embeddings' },
                { value: 'rerank', label: 'Reranking' },
              ]}
            />
            <NumberField
              label="Context window"
              min={1}
              value={draft.context_window}
              placeholder="tokens"
              error={errorAt('context_window')}
              onChange={(window) => change({ context_window: window })}
            />
          </div>
          <div className="columns">
            <NumberField
              label="Input price per 1M tokens"
              hint="In US dollars."
              min={0}
              step="any"
              value={draft.input}
              error={errorAt('pricing.input')}
              onChange={(input) => change({ input })}
            />
            <NumberField
              label="Output price per 1M tokens"
              hint="In US dollars."
              min={0}
              step="any"
              value={draft.output}
              error={errorAt('pricing.output')}
              onChange={(output) => change({ output })}
            />
          </div>
          {draft.type !== 'embedding' && draft.type !== 'rerank' && (
            <SelectField
              label="Takes images"
              value={draft.images}
              onChange={(images) => change({ images: images as Draft['images'] })}
              options={[
                ...(model ? [] : [{ value: '', label: 'Detect from the model ID' }]),
                { value: 'yes', label: 'Yes' },
                { value: 'no', label: 'No' },
              ]}
            />
          )}
          <CheckField
            label="Use as default"
            hint="Used when no model is selected."
            checked={draft.is_default}
            onChange={(is) => change({ is_default: is })}
          />
        </>
      )}
    </FormDialog>
  )
}
