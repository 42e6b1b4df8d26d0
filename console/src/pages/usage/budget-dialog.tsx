import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAgents, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { NumberField, SelectField, TextField } from '../../ui/field.tsx'
import type { Budget } from './budget.ts'

const whose = [
  { value: 'workspace', label: 'The whole workspace' },
  { value: 'agent', label: 'An agent' },
  { value: 'model', label: 'A model' },
  { value: 'user', label: 'A user' },
  { value: 'token', label: 'An access token' },
]

type Draft = Pick<Budget, 'name' | 'entity_type' | 'metric' | 'window' | 'action'> & {
  entity_id: string
  limit: number | null
}

/** Makes a budget, or changes the one that is given. */
export function BudgetDialog({ budget, onClose }: { budget?: Budget; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({
    name: budget?.name ?? '',
    entity_type: budget?.entity_type ?? 'workspace',
    entity_id: budget?.entity_id ?? '',
    metric: budget?.metric ?? 'cost',
    limit: budget?.limit ?? 10,
    window: budget?.window ?? 'month',
    action: budget?.action ?? 'notify',
  })
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const isAll = draft.entity_type === 'workspace'
  const save = useSave({
    touches: ['usage'],
    run: () => {
      const body = { ...draft, limit: draft.limit ?? 0, entity_id: isAll ? null : draft.entity_id }
      return budget
        ? parley.usage.thresholds.update(budget.id, body, onlyIfUnchanged(budget))
        : parley.usage.thresholds.create(body)
    },
    done: `${draft.name} was saved`,
    onDone: onClose,
  })
  const isComplete = draft.name.trim() !== '' && draft.limit !== null && (isAll || draft.entity_id.trim() !== '')
  return (
    <FormDialog
      title={budget ? 'Change budget' : 'New budget'}
      save={save}
      action={budget ? 'Save budget' : 'Create budget'}
      isComplete={isComplete}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            placeholder="Monthly cost"
            error={wrong('name')}
          />
          <div className="columns">
            <SelectField
              label="Whose usage"
              value={draft.entity_type}
              onChange={(type) => change({ entity_type: type as Draft['entity_type'], entity_id: '' })}
              options={whose}
              error={wrong('entity_type')}
            />
            {!isAll && (
              <EntityField
                type={draft.entity_type}
                value={draft.entity_id}
                onChange={(id) => change({ entity_id: id })}
                error={wrong('entity_id')}
              />
            )}
          </div>
          <div className="columns">
            <SelectField
              label="Counts"
              value={draft.metric}
              onChange={(metric) => change({ metric: metric as Draft['metric'] })}
              options={[
                { value: 'cost', label: 'Cost in US dollars' },
                { value: 'tokens', label: 'Tokens' },
              ]}
            />
            <NumberField
              label="Limit"
              min={0}
              step="any"
              value={draft.limit}
              onChange={(limit) => change({ limit })}
              error={wrong('limit')}
            />
            <SelectField
              label="In"
              value={draft.window}
              onChange={(window) => change({ window: window as Draft['window'] })}
              options={[
                { value: 'day', label: 'A day' },
                { value: 'month', label: 'A month' },
                { value: 'total', label: 'All time' },
              ]}
            />
          </div>
          <SelectField
            label="When it is reached"
            hint={
              draft.action === 'block'
                ? 'Before each call the most it can cost is set aside, so that it is never overspent.'
                : 'A webhook can hear of it (usage.threshold_exceeded). Work goes on.'
            }
            value={draft.action}
            onChange={(action) => change({ action: action as Draft['action'] })}
            options={[
              { value: 'notify', label: 'Notify' },
              { value: 'block', label: 'Block further calls' },
            ]}
          />
        </>
      )}
    </FormDialog>
  )
}

interface EntityProps {
  type: string
  value: string
  onChange: (id: string) => void
  error: string | undefined
}

function EntityField({ type, value, onChange, error }: EntityProps) {
  const agents = useAgents().data ?? []
  const models = useModels().data ?? []
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => parley.tokens.list({ limit: 100 }, { signal }).all(500),
    enabled: type === 'token',
  })
  if (type === 'user') {
    return <TextField label="User" value={value} onChange={onChange} placeholder="ada" error={error} />
  }
  const rows: { id: string; name: string }[] =
    type === 'agent' ? agents : type === 'model' ? models : (tokens.data ?? [])
  const isUnknown = value !== '' && !rows.some(({ id }) => id === value)
  return (
    <SelectField
      label="Which one"
      value={value}
      onChange={onChange}
      error={error}
      options={[
        ...(value === '' ? [{ value: '', label: 'Choose…' }] : []),
        ...rows.map(({ id, name }) => ({ value: id, label: name })),
        ...(isUnknown ? [{ value, label: value }] : []),
      ]}
    />
  )
}
