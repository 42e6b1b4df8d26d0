import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAgents, useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { type Named, optionsOf } from '../../ui/distinct.ts'
import { NumberField, SelectField, TextField } from '../../ui/field.tsx'
import type { Budget } from './budget.ts'

const entityTypes = [
  { value: 'workspace', label: 'Entire workspace' },
  { value: 'agent', label: 'Agent' },
  { value: 'model', label: 'Model' },
  { value: 'user', label: 'User' },
  { value: 'token', label: 'Access token' },
]

type Draft = Pick<Budget, 'name' | 'entity_type' | 'metric' | 'window' | 'action'> & {
  entity_id: string
  limit: number | null
}

/** Creates a budget, or edits the given one. */
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
    invalidates: ['usage'],
    run: () => {
      const body = { ...draft, limit: draft.limit ?? 0, entity_id: isAll ? null : draft.entity_id }
      return budget
        ? parley.usage.thresholds.update(budget.id, body, onlyIfUnchanged(budget))
        : parley.usage.thresholds.create(body)
    },
    toast: `${draft.name} saved`,
    onDone: onClose,
  })
  const isComplete = draft.name.trim() !== '' && draft.limit !== null && (isAll || draft.entity_id.trim() !== '')
  return (
    <FormDialog
      title={budget ? 'Edit budget' : 'New budget'}
      save={save}
      action={budget ? 'Save budget' : 'Create budget'}
      isComplete={isComplete}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            placeholder="Monthly cost"
            error={errorAt('name')}
          />
          <div className="columns">
            <SelectField
              label="Applies to"
              value={draft.entity_type}
              onChange={(type) => change({ entity_type: type as Draft['entity_type'], entity_id: '' })}
              options={entityTypes}
              error={errorAt('entity_type')}
            />
            {!isAll && (
              <EntityField
                type={draft.entity_type}
                value={draft.entity_id}
                onChange={(id) => change({ entity_id: id })}
                error={errorAt('entity_id')}
              />
            )}
          </div>
          <div className="columns">
            <SelectField
              label="Metric"
              value={draft.metric}
              onChange={(metric) => change({ metric: metric as Draft['metric'] })}
              options={[
                { value: 'cost', label: 'Cost (USD)' },
                { value: 'tokens', label: 'Tokens' },
              ]}
            />
            <NumberField
              label="Limit"
              min={0}
              step="any"
              value={draft.limit}
              onChange={(limit) => change({ limit })}
              error={errorAt('limit')}
            />
            <SelectField
              label="Period"
              value={draft.window}
              onChange={(window) => change({ window: window as Draft['window'] })}
              options={[
                { value: 'day', label: 'Day' },
                { value: 'month', label: 'Month' },
                { value: 'total', label: 'All time' },
              ]}
            />
          </div>
          <SelectField
            label="When reached"
            hint={
              draft.action === 'block'
                ? 'The maximum cost of each call is reserved first, so the budget is never exceeded.'
                : 'Sends the webhook event usage.threshold_exceeded. Calls continue.'
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
  const rows: Named[] = type === 'agent' ? agents : type === 'model' ? models : (tokens.data ?? [])
  const isUnknown = value !== '' && !rows.some(({ id }) => id === value)
  return (
    <SelectField
      label={entityTypes.find(({ value: each }) => each === type)?.label ?? type}
      value={value}
      onChange={onChange}
      error={error}
      options={[
        ...(value === '' ? [{ value: '', label: 'Choose…' }] : []),
        ...optionsOf(rows),
        ...(isUnknown ? [{ value, label: value }] : []),
      ]}
    />
  )
}
