import type { BodyOf, Schemas } from '@parley/client'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field.tsx'
import { providerNamed, providers } from './providers.ts'

type Model = Schemas['Model']

interface ModelDialogProps {
  onClose: () => void
  model?: Model
}

const first = (model: Model | undefined) => ({
  provider: model?.provider ?? 'openai',
  name: model?.name ?? '',
  model_id: model?.model_id ?? '',
  type: model?.type ?? ('chat' as Model['type']),
  api_key: '',
  endpoint: model?.endpoint ?? '',
  input: model?.pricing?.input ?? null,
  output: model?.pricing?.output ?? null,
  context_window: model?.context_window ?? null,
  is_default: model?.is_default ?? false,
})
type Draft = ReturnType<typeof first>

/** What is sent: a key only where one was typed, because what is not sent stays. */
function bodyOf(draft: Draft, isNew: boolean): BodyOf<'/models', 'post'> {
  const { api_key: key, endpoint, input, output, ...rest } = draft
  const hasPrice = input !== null || output !== null
  return {
    ...rest,
    name: rest.name || rest.model_id,
    endpoint: endpoint || null,
    pricing: hasPrice ? { input: input ?? 0, output: output ?? 0 } : null,
    ...((key !== '' || isNew) && { api_key: key || null }),
  }
}

export function ModelDialog({ onClose, model }: ModelDialogProps) {
  const [draft, setDraft] = useState(() => first(model))
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const provider = providerNamed(draft.provider)
  const save = useSave({
    touches: ['models', 'status'],
    run: () => {
      const body = bodyOf(draft, model === undefined)
      return model ? parley.models.update(model.id, body) : parley.models.create(body)
    },
    done: ({ name }) => (model ? `${name} was saved` : `${name} is connected. Test it to be sure.`),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={model ? `Edit ${model.name}` : 'Connect a model'}
      description="The key is kept encrypted and is never shown again."
      save={save}
      action={model ? 'Save' : 'Connect'}
      isComplete={draft.model_id.trim() !== ''}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <SelectField
            label="Provider"
            value={draft.provider}
            onChange={(value) => change({ provider: value, endpoint: '' })}
            options={provider ? providers : [...providers, { value: draft.provider, label: draft.provider }]}
          />
          <div className="columns">
            <TextField
              label="Model"
              hint="The provider’s name of it."
              value={draft.model_id}
              placeholder={provider?.examples ?? ''}
              error={wrong('model_id')}
              onChange={(id) => change({ model_id: id })}
            />
            <TextField
              label="Name"
              hint="What it is called here."
              value={draft.name}
              placeholder={draft.model_id}
              error={wrong('name')}
              onChange={(name) => change({ name })}
            />
          </div>
          {provider?.key !== 'none' && (
            <TextField
              label={provider?.key === 'needed' ? 'API key' : 'API key, where it needs one'}
              type="password"
              autoComplete="off"
              value={draft.api_key}
              placeholder={model?.api_key_set ? `Stays as it is (…${model.api_key_hint})` : ''}
              error={wrong('api_key')}
              onChange={(key) => change({ api_key: key })}
            />
          )}
          <TextField
            label={provider?.endpoint === null ? 'Endpoint' : 'Endpoint, where it is not the usual one'}
            {...(model && {
              hint: 'A new address needs the key again: a key never travels to a place it was not given for.',
            })}
            value={draft.endpoint}
            placeholder={provider?.endpoint ?? 'https://…/v1'}
            error={wrong('endpoint')}
            onChange={(endpoint) => change({ endpoint })}
          />
          <div className="columns">
            <SelectField
              label="Kind"
              value={draft.type}
              onChange={(type) => change({ type: type as Model['type'] })}
              options={[
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
              error={wrong('context_window')}
              onChange={(window) => change({ context_window: window })}
            />
          </div>
          <div className="columns">
            <NumberField
              label="Price of 1,000 input tokens"
              hint="US dollars."
              min={0}
              step="any"
              value={draft.input}
              error={wrong('pricing.input')}
              onChange={(input) => change({ input })}
            />
            <NumberField
              label="Price of 1,000 output tokens"
              hint="US dollars."
              min={0}
              step="any"
              value={draft.output}
              error={wrong('pricing.output')}
              onChange={(output) => change({ output })}
            />
          </div>
          <CheckField
            label="Use it where no model is named"
            hint="It becomes the default of its kind."
            checked={draft.is_default}
            onChange={(is) => change({ is_default: is })}
          />
        </>
      )}
    </FormDialog>
  )
}
