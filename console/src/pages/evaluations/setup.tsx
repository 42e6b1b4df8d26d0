import { fieldErrors } from '../../ui/errors.ts'
import { NumberField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { Editing } from './draft.ts'
import { Scorers } from './scorers.tsx'
import { TargetFields } from './target.tsx'

/** What is asked, how it is scored, and when a run is good enough. */
export function Setup({ draft, change, error, disabled }: Editing & { disabled: boolean }) {
  const wrong = fieldErrors(error)
  return (
    <div className="sections">
      <Card title="Target">
        <TargetFields type={draft.type} target={draft.target_id} onChange={change} wrong={wrong} disabled={disabled} />
      </Card>
      <Scorers
        scorers={draft.scorers}
        target={draft.type}
        onChange={(scorers) => change({ scorers })}
        wrong={wrong}
        disabled={disabled}
      />
      <Card title="Details">
        <div className="columns">
          <TextField
            label="Name"
            value={draft.name}
            disabled={disabled}
            error={wrong('name')}
            onChange={(name) => change({ name })}
          />
          <NumberField
            label="Good enough from"
            hint="The part of the cases that must pass, from 0 to 1."
            min={0}
            max={1}
            step="any"
            disabled={disabled}
            value={draft.pass_threshold}
            error={wrong('pass_threshold')}
            onChange={(threshold) => change({ pass_threshold: threshold ?? 1 })}
          />
          <NumberField
            label="At once"
            hint="How many cases run at the same time."
            min={1}
            max={64}
            disabled={disabled}
            value={draft.concurrency}
            error={wrong('concurrency')}
            onChange={(concurrency) => change({ concurrency: concurrency ?? 4 })}
          />
        </div>
        <TextArea
          label="Description"
          rows={2}
          disabled={disabled}
          value={draft.description ?? ''}
          error={wrong('description')}
          onChange={(description) => change({ description: description || null })}
        />
      </Card>
    </div>
  )
}
