import type { BodyOf, Schemas } from '@parley/client'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { CheckField, ComboField, NumberField, SecretField, SelectField, TextField } from '../../ui/field.tsx'
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
  cached_input: perMillion(model?.pricing?.cached_input),
  context_window: model?.context_window ?? null,
  images: (model ? (model.input_modalities.includes('image') ? 'yes' : 'no') : '') as 'yes' | 'no' | '',
  is_default: model?.is_default ?? false,
})
type Draft = ReturnType<typeof draftOf>

/** The request body. The key is sent only if one was entered; otherwise the stored key stays. */
function bodyOf(draft: Draft, model: Model | undefined): BodyOf<'/models', 'post'> {
  const { api_key: key, endpoint, input, output, cached_input: cached, type, images, ...rest } = draft
  const hasPrice = input !== null || output !== null
  return {
    ...rest,
    ...(type !== '' && { type }),
    ...(images !== '' && { input_modalities: withImages(model?.input_modalities ?? ['text'], images === 'yes') }),
    name: rest.name || rest.model_id,
    endpoint: endpoint || null,
    // The service may know the price of a new model.
    ...((hasPrice || model) && {
      pricing: hasPrice
        ? {
            ...(input !== null && { input: perThousand(input) }),
            ...(output !== null && { output: perThousand(output) }),
            ...(cached !== null && { cached_input: perThousand(cached) }),
          }
        : null,
    }),
    ...((key !== '' || !model) && { api_key: key || null }),
  }
}

const withImages = (modalities: Model['input_modalities'], takesImages: boolean): Model['input_modalities'] => [
  ...modalities.filter((modality) => modality !== 'image'),
  ...(takesImages ? (['image'] as const) : []),
]

export function ModelDialog({ onClose, model }: ModelDialogProps) {
  const form = useForm({
    saved: draftOf(model),
    invalidates: ['models', 'status'],
    run: async (draft) => {
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
  const { draft } = form
  const provider = providerNamed(draft.provider)
  const available = useAvailable(draft, model)
  const choose = (id: string) => {
    const known = available.models.find((each) => each.model_id === id)
    form.change({
      model_id: id,
      ...(known?.context_window && { context_window: known.context_window }),
      ...(known?.pricing && {
        input: perMillion(known.pricing.input),
        output: perMillion(known.pricing.output),
      }),
      cached_input: perMillion(known?.pricing?.cached_input),
    })
  }
  const chosen = available.models.find((each) => each.model_id === draft.model_id)
  const detected = model ? [] : [{ value: '' as const, label: 'Detect from the model ID' }]
  return (
    <FormDialog
      title={model ? `Edit ${model.name}` : 'Connect a model'}
      description="The API key is stored encrypted and never shown again."
      form={form}
      action={model ? 'Save' : 'Connect'}
      isComplete={draft.model_id.trim() !== ''}
      onClose={onClose}
    >
      <SelectField
        label="Provider"
        value={draft.provider}
        onChange={(value) => form.change({ provider: value, endpoint: '' })}
        options={providers}
      />
      {provider?.key !== 'none' && (
        <SecretField
          label={provider?.key === 'required' ? 'API key' : 'API key (optional)'}
          placeholder={model?.api_key_set ? `Unchanged (…${model.api_key_hint})` : ''}
          {...form.field('api_key')}
          error={form.errorAt('api_key') ?? available.keyError}
        />
      )}
      <TextField
        label={provider?.endpoint === null ? 'Endpoint' : 'Endpoint (optional)'}
        hint={model && 'If you change the endpoint, enter the API key again.'}
        placeholder={provider?.endpoint ?? 'https://…/v1'}
        {...form.field('endpoint')}
      />
      <div className="columns">
        <ComboField
          label="Model ID"
          hint={available.hint}
          placeholder={provider?.examples ?? ''}
          options={available.models.map(({ model_id: id }) => id)}
          onFocus={() => void available.load()}
          {...form.field('model_id')}
          onChange={choose}
        />
        <TextField
          label="Name"
          hint="Display name. Defaults to the model ID."
          placeholder={draft.model_id}
          {...form.field('name')}
        />
      </div>
      {chosen && <Warnings warnings={chosen.warnings} />}
      <div className="columns">
        <SelectField
          label="Type"
          {...form.field('type')}
          options={[
            ...detected,
            { value: 'chat', label: 'Chat' },
            { value: 'embedding', label: 'Embeddings' },
            { value: 'rerank', label: 'Reranking' },
          ]}
        />
        <NumberField label="Context window" min={1} placeholder="tokens" {...form.field('context_window', null)} />
      </div>
      <div className="columns">
        <NumberField
          label="Input price per 1M tokens"
          hint="In US dollars. 0 if it is free."
          min={0}
          step="any"
          {...form.field('input', null)}
          error={form.errorAt('pricing.input')}
        />
        <NumberField
          label="Output price per 1M tokens"
          hint="In US dollars."
          min={0}
          step="any"
          {...form.field('output', null)}
          error={form.errorAt('pricing.output')}
        />
      </div>
      {draft.type !== 'embedding' && draft.type !== 'rerank' && (
        <SelectField
          label="Takes images"
          {...form.field('images')}
          options={[...detected, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }]}
        />
      )}
      <CheckField label="Use as default" hint="Used when no model is selected." {...form.field('is_default')} />
    </FormDialog>
  )
}
