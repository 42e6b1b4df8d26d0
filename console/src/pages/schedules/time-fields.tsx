import type { Fields } from '../../parts/form.ts'
import { Choice } from '../../ui/choice.tsx'
import { ComboField } from '../../ui/combo-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { daily, type Times } from './draft.ts'
import { NextTimes, usePreview } from './preview.tsx'

const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}))

/** A time for an input of the browser, as the clocks of the zone show it. */
function localTime(at: string, timeZone: string): string {
  if (!at.endsWith('Z')) return at.slice(0, 16)
  try {
    const text = new Date(at).toLocaleString('sv', { timeZone })
    return text.slice(0, 16).replace(' ', 'T')
  } catch {
    return at.slice(0, 16) // the zone is still being typed
  }
}

/** Tomorrow at nine. */
function suggestedTime(): string {
  const day = new Date(Date.now() + 86_400_000).toLocaleDateString('sv')
  return `${day}T09:00`
}

/** When a schedule is due, with the next times while one types. */
export function TimeFields({ form, saved }: { form: Fields<Times>; saved?: Times }) {
  const { cron, at, timezone } = form.draft
  const isSingle = at !== null
  const preview = usePreview(isSingle ? null : cron, timezone)
  const choose = (kind: string) =>
    form.change(
      kind === 'single' ? { cron: null, at: saved?.at ?? suggestedTime() } : { cron: saved?.cron ?? daily, at: null },
    )
  return (
    <>
      <Choice
        label="When"
        value={isSingle ? 'single' : 'repeated'}
        onChange={choose}
        options={[
          { value: 'repeated', label: 'Repeatedly' },
          { value: 'single', label: 'Once' },
        ]}
      />
      <div className="columns">
        {isSingle ? (
          <TextField
            label="Time"
            type="datetime-local"
            hint="In the time zone of the schedule."
            {...form.field('at', '')}
            value={localTime(at, timezone)}
          />
        ) : (
          <TextField
            label="Cron expression"
            hint="Minute, hour, day of month, month, day of week."
            placeholder={daily}
            {...form.field('cron', '')}
            error={form.errorAt('cron') ?? preview.errorAt('cron')}
          />
        )}
        <ComboField
          label="Time zone"
          hint="Daylight saving time is followed."
          options={zones}
          {...form.field('timezone')}
          error={form.errorAt('timezone') ?? preview.errorAt('timezone')}
        />
      </div>
      {preview.data && <NextTimes {...preview.data} />}
    </>
  )
}
