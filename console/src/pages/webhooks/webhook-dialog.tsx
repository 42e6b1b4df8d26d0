import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { type EventName, events as known, type Webhook } from './events.ts'
import { Secret } from './secret.tsx'

/** Creates a webhook, or edits the given one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<EventName[]>(webhook?.events ?? ['*'])
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null)
  const save = useSave({
    invalidates: ['webhooks'],
    run: async () => {
      const body = { url, events, description: description || null }
      if (webhook) return void (await parley.webhooks.update(webhook.id, body, onlyIfUnchanged(webhook)))
      setCreated(await parley.webhooks.create(body))
    },
    ...(webhook && { toast: 'Saved', onDone: onClose }),
  })
  const isAll = events.includes('*')
  const close = () => {
    onClose()
    if (created) void navigate({ to: `/webhooks/${created.id}` })
  }
  return (
    <FormDialog
      title={created ? 'Signing secret' : webhook ? 'Edit webhook' : 'New webhook'}
      save={save}
      action={webhook ? 'Save' : 'Create webhook'}
      isComplete={url.trim() !== '' && events.length > 0}
      onClose={close}
      instead={created && <Secret secret={created.secret} onDone={close} />}
    >
      {(errorAt) => (
        <>
          <TextField
            label="URL"
            type="url"
            hint="Events are sent here as POST requests."
            value={url}
            onChange={setUrl}
            placeholder="https://example.com/hooks/parley"
            error={errorAt('url')}
          />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            placeholder="To the CRM"
            error={errorAt('description')}
          />
          <fieldset className="choices">
            <legend>Events</legend>
            <CheckField label="All events" checked={isAll} onChange={(is) => setEvents(is ? ['*'] : [])} />
            {known.map(({ value, label }) => (
              <CheckField
                key={value}
                label={label}
                hint={value}
                disabled={isAll}
                checked={isAll || events.includes(value)}
                onChange={(is) => setEvents(is ? [...events, value] : events.filter((other) => other !== value))}
              />
            ))}
          </fieldset>
          {errorAt('events') && <p className="notice bad">{errorAt('events')}</p>}
        </>
      )}
    </FormDialog>
  )
}
