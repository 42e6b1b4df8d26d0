import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, PlugZap, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { queries } from '../../api/queries.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { count, milliseconds } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { ModelDialog } from './model-dialog.tsx'
import { priceText } from './prices.ts'
import { ProviderMark } from './provider-mark.tsx'
import { providerLabel } from './providers.ts'

type Model = Schemas['Model']

const kinds = { chat: 'Chat', embedding: 'Embedding', rerank: 'Rerank' }

export default function Models() {
  const may = useMay()
  const { search, change } = useListParams()
  const models = useQuery({
    queryKey: ['models', 'list'],
    queryFn: ({ signal }) => parley.models.list({ limit: 100, order: 'asc' }, { signal }).all(500),
  })
  const editing = may('administer') && models.data?.find(({ id }) => id === search.model)
  const create = may('administer') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      Connect a model
    </Button>
  )
  return (
    <PageFrame
      title="Models"
      lead="Models your agents use. The built-in local models need no API key. Connect a provider for full conversations."
      actions={create}
    >
      {models.error && <ErrorPanel error={models.error} onRetry={() => void models.refetch()} />}
      {models.isPending && <Loading />}
      {models.data && (
        <Table
          label="Models"
          rows={models.data}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: (model) => (
                <span className="row nowrap">
                  <ProviderMark provider={model.provider} />
                  <span className="stacked">
                    <span className="row">
                      <strong>{model.name}</strong>
                      {model.is_default && <Badge tone="accent">default</Badge>}
                    </span>
                    <span className="muted small">
                      {providerLabel(model.provider)} · {model.model_id}
                    </span>
                    <span className="narrow-only-inline small">
                      {' · '}
                      <State model={model} /> · <Price model={model} onEnter={() => change({ model: model.id })} />
                    </span>
                  </span>
                </span>
              ),
            },
            { title: 'Type', minor: true, cell: ({ type }) => <span className="clip">{kinds[type]}</span> },
            { title: 'State', minor: true, cell: (model) => <State model={model} /> },
            {
              title: 'Key',
              minor: true,
              cell: ({ api_key_set: isSet, api_key_hint: hint }) => (isSet ? <code>…{hint}</code> : '–'),
            },
            {
              title: 'Price per 1M tokens',
              minor: true,
              numeric: true,
              cell: (model) => <Price model={model} onEnter={() => change({ model: model.id })} />,
            },
            {
              title: 'Context',
              minor: true,
              numeric: true,
              cell: ({ context_window: window }) => (window === null ? '–' : count(window)),
            },
            {
              title: '',
              cell: (model) => <RowActions model={model} onEdit={() => change({ model: model.id })} />,
            },
          ]}
        />
      )}
      {search.new === 'yes' && create && <ModelDialog onClose={() => change({ new: undefined })} />}
      {editing && <ModelDialog key={editing.id} model={editing} onClose={() => change({ model: undefined })} />}
    </PageFrame>
  )
}

/** A price that is not known can be entered at once. */
function Price({ model: { name, pricing }, onEnter }: { model: Model; onEnter: () => void }) {
  const may = useMay()
  if (pricing !== null) return priceText(pricing)
  if (!may('administer')) return <Badge tone="warn">not known</Badge>
  return (
    <Button small aria-label={`Enter the price of ${name}`} onClick={onEnter}>
      not known
    </Button>
  )
}

/** Whether the model answered when it was last tested. */
function State({ model: { provider, last_test: test } }: { model: Model }) {
  if (test === null) return <span className="muted">{provider === 'local' ? 'Built in' : 'Not tested'}</span>
  return (
    <span title={test.error ?? ''}>
      <Badge tone={test.ok ? 'good' : 'bad'}>{test.ok ? 'working' : 'failing'}</Badge>{' '}
      <span className="muted small">
        <Ago at={test.tested_at} />
      </span>
    </span>
  )
}

function RowActions({ model, onEdit }: { model: Model; onEdit: () => void }) {
  const may = useMay()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const { ok, error, latency_ms: time } = await parley.models.test(model.id)
      if (ok) showToast(`${model.name} works`, `Responded in ${milliseconds(time)}.`)
      else showError(new Error(error ?? 'No reason given.'), `${model.name} test failed`)
    } catch (error) {
      showError(error)
    }
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['models'] })
  }
  const makeDefault = useSave({
    invalidates: ['models'],
    run: () => parley.models.update(model.id, { is_default: true }),
    toast: `${model.name} is now the default`,
  })
  const remove = useSave({
    invalidates: ['models', 'status'],
    run: () => parley.models.delete(model.id),
    toast: `${model.name} removed`,
  })
  return (
    <span className="row end">
      {may('write-configuration') && (
        <Button small icon={PlugZap} busy={busy} onClick={() => void test()} aria-label={`Test ${model.name}`}>
          Test
        </Button>
      )}
      {may('administer') && (
        <>
          <Menu
            label={`More for ${model.name}`}
            trigger={null}
            render={<IconButton icon={Ellipsis} label={`More for ${model.name}`} />}
          >
            {model.provider !== 'local' && <MenuItem onClick={onEdit}>Edit</MenuItem>}
            {!model.is_default && (
              <MenuItem icon={Star} onClick={() => makeDefault.mutate(undefined)}>
                Make default
              </MenuItem>
            )}
          </Menu>
          {model.provider !== 'local' && (
            <Confirm
              trigger={<IconButton icon={Trash2} label={`Remove ${model.name}`} />}
              title={`Remove ${model.name}?`}
              text="Its API key is deleted too. You cannot remove a model that an agent uses."
              action="Remove model"
              onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
            />
          )}
        </>
      )}
    </span>
  )
}
