import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { type EventName, events as known, type Webhook } from './events.ts'
import { WebhookSecret } from './webhook-secret.tsx'

/** Creates a webhook, or edits the given one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null)
  const form = useForm({
    saved: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? null,
      events: webhook?.events ?? (['*'] as EventName[]),
    },
    invalidates: ['webhooks'],
    run: async (draft) => {
      if (webhook) return void (await parley.webhooks.update(webhook.id, draft, onlyIfUnchanged(webhook)))
      setCreated(await parley.webhooks.create(draft))
    },
    ...(webhook && { toast: 'Saved', onDone: onClose }),
  })
  const { url, events } = form.draft
  const isAll = events.includes('*')
  const choose = (next: EventName[]) => form.change({ events: next })
  const close = () => {
    onClose()
    if (created) void navigate({ to: `/webhooks/${created.id}` })
  }
  return (
    <FormDialog
      title={created ? 'Signing secret' : webhook ? 'Edit webhook' : 'New webhook'}
      form={form}
      action={webhook ? 'Save' : 'Create webhook'}
      isComplete={url.trim() !== '' && events.length > 0}
      onClose={close}
      instead={created && <WebhookSecret secret={created.secret} onDone={close} />}
    >
      <TextField
        label="URL"
        type="url"
        hint="Events are sent here as POST requests."
        placeholder="https://example.com/hooks/parley"
        {...form.field('url')}
      />
      <TextField label="Description" placeholder="To the CRM" {...form.field('description', null)} />
      <fieldset className="choices">
        <legend>Events</legend>
        <CheckField label="All events" value={isAll} onChange={(is) => choose(is ? ['*'] : [])} />
        {known.map(({ value, label }) => (
          <CheckField
            key={value}
            label={label}
            hint={value}
            disabled={isAll}
            value={isAll || events.includes(value)}
            onChange={(is) => choose(is ? [...events, value] : events.filter((other) => other !== value))}
          />
        ))}
      </fieldset>
      {form.errorAt('events') && <p className="notice bad">{form.errorAt('events')}</p>}
    </FormDialog>
  )
}
