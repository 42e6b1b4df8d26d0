import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Tag, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../api/permissions.ts'
import { useSave } from '../api/save.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { ComboField } from '../ui/combo-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import type { Option } from '../ui/option.ts'
import { Badge } from '../ui/page.tsx'
import { Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { useForm } from './form.ts'

type Label = Schemas['TemplateLabel'] & { gate?: Schemas['Label']['gate'] }
type Gate = { evaluation_id: string } | null

interface LabelsProps {
  /** The first element of the query key, such as `agents`. */
  kind: string
  id: string
  /** The newest version. */
  newest: number
  list: () => PromiseLike<{ data: Label[] }>
  set: (label: string, version: number, gate?: Gate) => Promise<Label>
  remove: (label: string) => Promise<void>
  /** The evaluations that a version can be required to pass. */
  gates?: () => PromiseLike<Option[]>
  lead: string
}

const suggested = ['production', 'canary']

/** The labels of a resource, each with one step back. */
export function Labels(props: LabelsProps) {
  const [open, setOpen] = useState(false)
  const labels = useLabels(props)
  const production = labels.data?.find(({ label }) => label === 'production')
  return (
    <>
      <Button icon={Tag} onClick={() => setOpen(true)}>
        {production ? `Production: ${production.version}` : 'Labels'}
      </Button>
      <Dialog wide open={open} onOpenChange={setOpen} title="Labels" description={props.lead}>
        <Content {...props} />
      </Dialog>
    </>
  )
}

const useLabels = ({ kind, id, list }: Pick<LabelsProps, 'kind' | 'id' | 'list'>) =>
  useQuery({ queryKey: [kind, id, 'labels'], queryFn: async () => (await list()).data })

function Content(props: LabelsProps) {
  const mayWrite = useMay()('write-configuration')
  const labels = useLabels(props)
  const gates = useQuery({
    queryKey: ['evaluations', 'of', props.id],
    queryFn: async () => (await props.gates?.()) ?? [],
  })
  if (labels.error) return <ErrorPanel error={labels.error} onRetry={() => void labels.refetch()} />
  if (!labels.data) return <Loading />
  const options = gates.data ?? []
  const gateName = (gate: Gate) => options.find(({ value }) => value === gate?.evaluation_id)?.label
  return (
    <div className="stack">
      {labels.data.length === 0 ? (
        <p className="muted">No labels yet: version {props.newest}, the newest, answers.</p>
      ) : (
        <Table
          label="Labels"
          rows={labels.data}
          rowKey={({ label }) => label}
          columns={[
            { title: 'Label', cell: ({ label }) => <Badge tone="accent">{label}</Badge> },
            { title: 'Version', cell: ({ version }) => version },
            ...(props.gates
              ? [{ title: 'Gate', minor: true, cell: ({ gate }: Label) => gateName(gate ?? null) ?? '–' }]
              : []),
            { title: 'Changed', minor: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
            ...(mayWrite ? [{ title: '', cell: (label: Label) => <Actions {...props} label={label} /> }] : []),
          ]}
        />
      )}
      {mayWrite && <SetLabel key={labels.dataUpdatedAt} {...props} labels={labels.data} options={options} />}
    </div>
  )
}

function Actions({ kind, set, remove, label: { label, previous_version: before } }: LabelsProps & { label: Label }) {
  const undo = useSave({
    invalidates: [kind],
    run: (version: number) => set(label, version),
    toast: ({ version }) => `${label} is version ${version} again`,
  })
  const removal = useSave({ invalidates: [kind], run: () => remove(label), toast: `${label} removed` })
  return (
    <div className="row">
      {before !== null && (
        <Button
          small
          icon={Undo2}
          busy={undo.isPending}
          aria-label={`Undo: back to version ${before}`}
          title={`Back to version ${before}`}
          onClick={() => undo.mutate(before)}
        >
          Undo
        </Button>
      )}
      <IconButton icon={Trash2} label={`Remove ${label}`} onClick={() => removal.mutate(undefined)} />
    </div>
  )
}

interface SetLabelProps extends LabelsProps {
  labels: Label[]
  options: Option[]
}

function SetLabel({ kind, newest, set, gates, labels, options }: SetLabelProps) {
  const form = useForm({
    saved: { label: labels.length === 0 ? 'production' : '', version: String(newest), gate: null as string | null },
    invalidates: [kind],
    run: ({ label, version }) =>
      set(label.trim(), Number(version), gates ? (gate === '' ? null : { evaluation_id: gate }) : undefined),
    toast: ({ label, version }) => `${label} is version ${version}`,
  })
  const { draft, save } = form
  const current = labels.find(({ label }) => label === draft.label)
  const gate: string = draft.gate ?? current?.gate?.evaluation_id ?? ''
  const versions = Array.from({ length: Math.min(newest, 100) }, (_, at) => String(newest - at))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <div className="columns">
        <ComboField label="Label" {...form.field('label')} options={suggested} />
        <SelectField
          label="Version"
          {...form.field('version')}
          options={versions.map((each) => ({
            value: each,
            label: each === String(newest) ? `Version ${each} (newest)` : `Version ${each}`,
          }))}
        />
        {gates && (
          <SelectField
            label="Gate"
            hint="Versions must pass this evaluation"
            {...form.field('gate', '')}
            value={gate}
            options={[{ value: '', label: 'None' }, ...options]}
          />
        )}
      </div>
      <div className="dialog-foot">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={draft.label.trim() === ''}>
          {current ? 'Move label' : 'Add label'}
        </Button>
      </div>
    </form>
  )
}
