import type { RequestBody, Schemas } from '@parley/client'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { type Fields, useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckField, NumberField, SecretField, SelectField, TextField } from '../../ui/field.tsx'
import { useAvailable } from './available.ts'
import { ModelList } from './model-list.tsx'
import { perMillion, perThousand } from './prices.ts'
import { ProviderTiles } from './provider-tiles.tsx'
import { type Provider, providerNamed } from './providers.ts'

type Model = Schemas['Model']

interface ModelDialogProps {
  onClose: () => void
  model?: Model
}

const toDraft = (model: Model | undefined) => ({
  provider: model?.provider ?? 'openai',
  name: model?.name ?? '',
  model_id: model?.model_id ?? '',
  type: (model?.type ?? '') as Model['type'] | '',
  api_key: '',
  endpoint: model?.endpoint ?? '',
  input: perMillion(model?.pricing?.input),
  output: perMillion(model?.pricing?.output),
  cached_input: perMillion(model?.pricing?.cached_input),
  cache_write: perMillion(model?.pricing?.cache_write),
  context_window: model?.context_window ?? null,
  images: (model ? (model.input_modalities.includes('image') ? 'yes' : 'no') : '') as 'yes' | 'no' | '',
  is_default: model?.is_default ?? false,
})
type Draft = ReturnType<typeof toDraft>

/** The request body. The key is sent only if one was entered; otherwise the stored key stays. */
function toBody(draft: Draft, model: Model | undefined): RequestBody<'/models', 'post'> {
  const {
    api_key: key,
    endpoint,
    input,
    output,
    cached_input: cached,
    cache_write: written,
    type,
    images,
    ...rest
  } = draft
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
            ...(written !== null && { cache_write: perThousand(written) }),
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

/** Whether requests go elsewhere than those of the stored model, so that they have to be tested. */
const isElsewhere = (draft: Draft, model: Model | undefined): boolean =>
  model === undefined ||
  draft.api_key !== '' ||
  (['provider', 'model_id'] as const).some((field) => draft[field] !== model[field]) ||
  draft.endpoint !== (model.endpoint ?? '')

/** The result of a test before the model is stored: null if it answers. */
async function findProblem(draft: Draft, model: Model | undefined): Promise<string | null> {
  if (!isElsewhere(draft, model)) return null
  const { provider, model_id, type, api_key: key, endpoint } = draft
  const { ok, error } = await parley.models.check({
    provider,
    model_id,
    endpoint: endpoint || null,
    ...(type !== '' && { type }),
    ...(key !== '' && { api_key: key }),
    ...(model && { model: model.id }),
  })
  return ok ? null : (error ?? 'It gave no reason.')
}

export function ModelDialog({ onClose, model }: ModelDialogProps) {
  /** Why the model with these settings did not answer. */
  const [problem, setProblem] = useState<{ settings: string; text: string } | null>(null)
  const form = useForm({
    saved: toDraft(model),
    invalidates: ['models', 'status'],
    run: async (draft) => {
      const settings = JSON.stringify(draft)
      const isKnown = problem?.settings === settings
      const { status } = await available.load()
      if (status === 'refused') return null
      const text = isKnown ? null : await findProblem(draft, model)
      setProblem(text === null ? null : { settings, text })
      if (text !== null) return null
      const body = toBody(draft, model)
      const saved = await (model ? parley.models.update(model.id, body) : parley.models.create(body))
      if (isElsewhere(draft, model)) testSaved(saved.id)
      return { name: saved.name, isReached: !isKnown }
    },
    toast: (saved) => (saved ? `${saved.name} ${saved.isReached ? 'connected' : 'saved without a working test'}` : ''),
    onDone: (saved) => saved && onClose(),
  })
  const { draft } = form
  const provider = providerNamed(draft.provider)
  const available = useAvailable(draft, model)
  const [showsAdvanced, setShowsAdvanced] = useState(model !== undefined)
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
      cache_write: perMillion(known?.pricing?.cache_write),
    })
  }
  const chosen = available.models.find((each) => each.model_id === draft.model_id)
  const isPriced = draft.input !== null || draft.output !== null
  const isUnanswered = problem?.settings === JSON.stringify(draft)
  return (
    <FormDialog
      title={model ? `Edit ${model.name}` : 'Connect a model'}
      description="The API key is stored encrypted and never shown again."
      form={form}
      action={isUnanswered ? 'Save anyway' : model ? 'Save' : 'Connect'}
      isComplete={draft.model_id.trim() !== ''}
      onClose={onClose}
    >
      <ProviderTiles
        value={draft.provider}
        onChange={(value) =>
          form.change({ provider: value, endpoint: '', ...(!model && { model_id: '', input: null, output: null }) })
        }
      />
      {provider?.endpoint === null && (
        <TextField
          label="Endpoint"
          hint={model && 'If you change the endpoint, enter the API key again.'}
          placeholder="https://…/v1"
          onBlur={() => void available.load()}
          {...form.field('endpoint')}
        />
      )}
      {provider?.key !== 'none' && (
        <SecretField
          label={provider?.key === 'required' ? '2. API key' : '2. API key (optional)'}
          placeholder={model?.api_key_set ? `Unchanged (…${model.api_key_hint})` : ''}
          onBlur={() => void available.load()}
          {...form.field('api_key')}
          error={form.errorAt('api_key') ?? available.keyError}
        />
      )}
      <TextField
        label="3. Model"
        hint={available.failure ? `The provider did not list its models: ${available.failure}` : available.hint}
        placeholder={provider?.examples ?? ''}
        onFocus={() => void available.load()}
        {...form.field('model_id')}
        onChange={choose}
      />
      <ModelList models={available.models} value={draft.model_id} onChoose={choose} />
      {chosen && <Warnings warnings={chosen.warnings} />}
      {draft.model_id !== '' && !isPriced && (model || chosen) && (
        <p className="row">
          <span className="muted">The price of this model is not known, so the cost of its calls is not either.</span>
          {!showsAdvanced && (
            <Button small onClick={() => setShowsAdvanced(true)}>
              Enter the price
            </Button>
          )}
        </p>
      )}
      <details
        className="advanced"
        open={showsAdvanced}
        onToggle={(event) => setShowsAdvanced(event.currentTarget.open)}
      >
        <summary>Advanced</summary>
        <AdvancedFields form={form} model={model} provider={provider} />
      </details>
      {isUnanswered && (
        <p className="notice bad" role="alert" ref={showOnScreen}>
          The model did not answer: {problem.text}
        </p>
      )}
    </FormDialog>
  )
}

/** The dialog may be longer than the window. */
const showOnScreen = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

/** Tests a stored model in the background, so that the list shows its state. */
const testSaved = (id: string) =>
  void parley.models
    .test(id)
    .catch(() => null)
    .then(() => queries.invalidateQueries({ queryKey: ['models'] }))

interface AdvancedFieldsProps {
  form: Fields<Draft>
  model: Model | undefined
  provider: Provider | undefined
}

function AdvancedFields({ form, model, provider }: AdvancedFieldsProps) {
  const { draft } = form
  const detected = model ? [] : [{ value: '' as const, label: 'Detect from the model ID' }]
  return (
    <div className="stack">
      <div className="columns">
        <NumberField
          label="Input price per 1M tokens"
          data-focus-first={model?.pricing === null || undefined}
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
      <div className="columns">
        <NumberField
          label="Cache read price per 1M tokens"
          hint="Empty: the input price."
          min={0}
          step="any"
          {...form.field('cached_input', null)}
          error={form.errorAt('pricing.cached_input')}
        />
        <NumberField
          label="Cache write price per 1M tokens"
          hint="Empty: the input price."
          min={0}
          step="any"
          {...form.field('cache_write', null)}
          error={form.errorAt('pricing.cache_write')}
        />
      </div>
      <div className="columns">
        <TextField
          label="Name"
          hint="Display name. Defaults to the model ID."
          placeholder={draft.model_id}
          {...form.field('name')}
        />
        <NumberField label="Context window" min={1} placeholder="tokens" {...form.field('context_window', null)} />
      </div>
      {provider?.endpoint !== null && (
        <TextField
          label="Endpoint (optional)"
          hint={model && 'If you change the endpoint, enter the API key again.'}
          placeholder={provider?.endpoint ?? 'https://…/v1'}
          {...form.field('endpoint')}
        />
      )}
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
        {draft.type !== 'embedding' && draft.type !== 'rerank' && (
          <SelectField
            label="Takes images"
            {...form.field('images')}
            options={[...detected, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }]}
          />
        )}
      </div>
      <CheckField label="Use as default" hint="Used when no model is selected." {...form.field('is_default')} />
    </div>
  )
}
