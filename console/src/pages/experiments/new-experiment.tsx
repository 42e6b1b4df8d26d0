import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useActiveAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { type Fields, useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ComboField } from '../../ui/combo-field.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { NumberField, SelectField, TextField } from '../../ui/field.tsx'
import { metricLabels } from './metrics.ts'

/** A variant as it is typed: a label or the number of a version. */
interface DraftVariant {
  name: string
  weight: number | null
}

const maxVariants = 5

const toVariant = ({ name, weight }: DraftVariant) => ({
  ...(/^\d+$/.test(name.trim()) ? { version: Number(name) } : { label: name.trim() }),
  weight: weight ?? 1,
})

export function NewExperiment({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const agents = useActiveAgents().data ?? []
  const form = useForm({
    saved: {
      name: '',
      agent_id: agents[0]?.id ?? '',
      metric: 'feedback',
      variants: [
        { name: 'production', weight: 9 },
        { name: 'canary', weight: 1 },
      ] as DraftVariant[],
    },
    invalidates: ['experiments'],
    run: ({ variants, ...draft }) => parley.experiments.create({ ...draft, variants: variants.map(toVariant) }),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/experiments/${id}` }),
  })
  const { name, agent_id, variants, metric } = form.draft
  return (
    <FormDialog
      wide
      title="New experiment"
      description="It is a draft until you start it."
      form={form}
      action="Create experiment"
      isComplete={name.trim() !== '' && agent_id !== '' && variants.every((variant) => variant.name.trim() !== '')}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Shorter answers" {...form.field('name')} />
      <div className="columns">
        <SelectField label="Agent" {...form.field('agent_id')} options={toOptions(agents)} />
        <ComboField
          label="Metric"
          hint={metricLabels[metric] ?? 'A scorer of a monitor of the agent'}
          {...form.field('metric')}
          options={Object.keys(metricLabels)}
        />
      </div>
      <Variants form={form.part('variants')} agent={agent_id} />
    </FormDialog>
  )
}

function Variants({ form, agent }: { form: Fields<DraftVariant[]>; agent: string }) {
  const labels = useQuery({
    queryKey: ['agents', agent, 'labels'],
    queryFn: async () => (await parley.agents.labels(agent, { limit: 100 })).data,
    enabled: agent !== '',
  })
  const known = labels.data?.map(({ label }) => label) ?? []
  return (
    <>
      {form.draft.map((variant, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variants have no ids, and are added and removed at the end
        <div className="columns" key={at}>
          <ComboField
            label={at === 0 ? 'Compared with' : `Variant ${at + 1}`}
            hint={at === 0 ? 'A label, or the number of a version' : undefined}
            value={variant.name}
            error={form.errorAt(`[${at}].label`) ?? form.errorAt(`[${at}].version`) ?? form.errorAt(`[${at}]`)}
            onChange={(name) => form.set(form.draft.with(at, { ...variant, name }))}
            options={known}
          />
          <NumberField
            label="Weight"
            value={variant.weight}
            min={0}
            error={form.errorAt(`[${at}].weight`)}
            onChange={(weight) => form.set(form.draft.with(at, { ...variant, weight }))}
          />
        </div>
      ))}
      <div className="row">
        <Button
          small
          icon={Plus}
          disabled={form.draft.length >= maxVariants}
          onClick={() => form.set([...form.draft, { name: '', weight: 1 }])}
        >
          Add variant
        </Button>
        {form.draft.length > 2 && (
          <IconButton icon={Trash2} label="Remove last variant" onClick={() => form.set(form.draft.slice(0, -1))} />
        )}
      </div>
    </>
  )
}
