import type { Fields } from '../../parts/form.ts'
import { CheckField, NumberField } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'

/** How many replies are scored, and what that may cost. */
export const SampleFields = ({ form }: { form: Fields<Draft> }) => (
  <div className="columns">
    <NumberField
      label="Sample"
      hint="The share of replies that are scored, from 0 to 1. 0 pauses the monitor."
      min={0}
      max={1}
      step="any"
      {...form.field('sample_rate', 0.1)}
    />
    <NumberField
      label="Daily budget (USD)"
      hint="What judges may cost a day. It is never exceeded."
      min={0}
      step="any"
      {...form.field('daily_budget', 1)}
    />
    <NumberField
      label="Reviews"
      hint="The share of scored replies that people review, too."
      min={0}
      max={1}
      step="any"
      {...form.field('review_rate', 0.1)}
    />
  </div>
)

export function AlertFields({ form }: { form: Fields<Draft> }) {
  const { alert } = form.draft
  return (
    <>
      <CheckField
        label="Alert when scores fall"
        hint="Sends monitor.alert to webhooks, once per fall."
        value={alert !== null}
        onChange={(is) => form.change({ alert: is ? { below: 0.7, window: 50 } : null })}
      />
      {alert && (
        <div className="columns">
          <NumberField
            label="Mean score below"
            min={0}
            max={1}
            step="any"
            {...form.part('alert').field('below', 0.7)}
          />
          <NumberField label="Over the last replies" min={1} {...form.part('alert').field('window', 50)} />
        </div>
      )}
    </>
  )
}
