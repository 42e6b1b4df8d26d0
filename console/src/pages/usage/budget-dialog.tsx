import { useAgents, useModels, useTokens } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { type Fields, useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PersonField } from '../../parts/person-fields.tsx'
import { type Named, toOptions } from '../../ui/distinct.ts'
import { NumberField, SelectField, TextField } from '../../ui/field.tsx'
import type { Budget } from './budget.ts'

const entityTypes: { value: Budget['entity_type']; label: string }[] = [
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

const toDraft = (budget: Budget | undefined): Draft => ({
  name: budget?.name ?? '',
  entity_type: budget?.entity_type ?? 'workspace',
  entity_id: budget?.entity_id ?? '',
  metric: budget?.metric ?? 'cost',
  limit: budget?.limit ?? 10,
  window: budget?.window ?? 'month',
  action: budget?.action ?? 'notify',
})

/** Creates a budget, or edits the given one. */
export function BudgetDialog({ budget, onClose }: { budget?: Budget; onClose: () => void }) {
  const form = useForm({
    saved: toDraft(budget),
    invalidates: ['usage'],
    run: (draft) => {
      const entity_id = draft.entity_type === 'workspace' ? null : draft.entity_id
      const body = { ...draft, limit: draft.limit ?? 0, entity_id }
      return budget
        ? parley.usage.thresholds.update(budget.id, body, onlyIfUnchanged(budget))
        : parley.usage.thresholds.create(body)
    },
    toast: ({ name }) => `${name} saved`,
    onDone: onClose,
  })
  const { name, limit, entity_type: type, entity_id: id, action } = form.draft
  const isAll = type === 'workspace'
  return (
    <FormDialog
      title={budget ? 'Edit budget' : 'New budget'}
      form={form}
      action={budget ? 'Save budget' : 'Create budget'}
      isComplete={name.trim() !== '' && limit !== null && (isAll || id.trim() !== '')}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Monthly cost" {...form.field('name')} />
      <div className="columns">
        <SelectField
          label="Applies to"
          {...form.field('entity_type')}
          onChange={(next) => form.change({ entity_type: next, entity_id: '' })}
          options={entityTypes}
        />
        {!isAll && <EntityField form={form} />}
      </div>
      <div className="columns">
        <SelectField
          label="Metric"
          {...form.field('metric')}
          options={[
            { value: 'cost', label: 'Cost (USD)' },
            { value: 'tokens', label: 'Tokens' },
          ]}
        />
        <NumberField label="Limit" min={0} step="any" {...form.field('limit', null)} />
        <SelectField
          label="Period"
          {...form.field('window')}
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
          action === 'block'
            ? 'The maximum cost of each call is reserved first, so the budget is never exceeded.'
            : 'Sends the webhook event usage.threshold_exceeded. Calls continue.'
        }
        {...form.field('action')}
        options={[
          { value: 'notify', label: 'Notify' },
          { value: 'block', label: 'Block further calls' },
        ]}
      />
    </FormDialog>
  )
}

function EntityField({ form }: { form: Fields<Draft> }) {
  const { entity_type: type } = form.draft
  const agents = useAgents().data ?? []
  const models = useModels().data ?? []
  const tokens = useTokens()
  if (type === 'user') return <PersonField label="User" {...form.field('entity_id')} />
  const rows: Named[] = type === 'agent' ? agents : type === 'model' ? models : (tokens.data ?? [])
  return (
    <SelectField
      label={entityTypes.find(({ value }) => value === type)?.label ?? type}
      {...form.field('entity_id')}
      options={toOptions(rows)}
    />
  )
}
