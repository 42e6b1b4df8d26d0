import { NumberField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { EvaluationForm } from './draft.ts'
import { Scorers } from './scorers.tsx'
import { TargetFields } from './target.tsx'

/** The target, scorers and required pass rate of an evaluation. */
export const Setup = ({ form, disabled }: { form: EvaluationForm; disabled: boolean }) => (
  <fieldset key={form.resets} className="unframed sections" disabled={disabled}>
    <Card title="Target">
      <TargetFields form={form} />
    </Card>
    <Scorers form={form.part('scorers')} target={form.draft.type} disabled={disabled} />
    <Card title="Details">
      <div className="columns">
        <TextField label="Name" {...form.field('name')} />
        <NumberField
          label="Required pass rate"
          hint="Share of cases that must pass, from 0 to 1."
          min={0}
          max={1}
          step="any"
          {...form.field('pass_threshold', 1)}
        />
        <NumberField
          label="Concurrency"
          hint="Cases run in parallel."
          min={1}
          max={64}
          {...form.field('concurrency', 4)}
        />
      </div>
      <TextArea label="Description" rows={2} {...form.field('description', null)} />
    </Card>
  </fieldset>
)
