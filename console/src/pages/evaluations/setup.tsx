import { fieldErrors } from '../../ui/errors.ts'
import { NumberField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { Editing } from './draft.ts'
import { Scorers } from './scorers.tsx'
import { TargetFields } from './target.tsx'

/** The target, scorers and required pass rate of an evaluation. */
export function Setup({ draft, change, error, disabled }: Editing & { disabled: boolean }) {
  const errorAt = fieldErrors(error)
  return (
    <div className="sections">
      <Card title="Target">
        <TargetFields
          type={draft.type}
          target={draft.target_id}
          onChange={change}
          errorAt={errorAt}
          disabled={disabled}
        />
      </Card>
      <Scorers
        scorers={draft.scorers}
        target={draft.type}
        onChange={(scorers) => change({ scorers })}
        errorAt={errorAt}
        disabled={disabled}
      />
      <Card title="Details">
        <div className="columns">
          <TextField
            label="Name"
            value={draft.name}
            disabled={disabled}
            error={errorAt('name')}
            onChange={(name) => change({ name })}
          />
          <NumberField
            label="Required pass rate"
            hint="Share of cases that must pass, from 0 to 1."
            min={0}
            max={1}
            step="any"
            disabled={disabled}
            value={draft.pass_threshold}
            error={errorAt('pass_threshold')}
            onChange={(threshold) => change({ pass_threshold: threshold ?? 1 })}
          />
          <NumberField
            label="Concurrency"
            hint="Cases run in parallel."
            min={1}
            max={64}
            disabled={disabled}
            value={draft.concurrency}
            error={errorAt('concurrency')}
            onChange={(concurrency) => change({ concurrency: concurrency ?? 4 })}
          />
        </div>
        <TextArea
          label="Description"
          rows={2}
          disabled={disabled}
          value={draft.description ?? ''}
          error={errorAt('description')}
          onChange={(description) => change({ description: description || null })}
        />
      </Card>
    </div>
  )
}
