import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { type EventName, events as known, type Webhook } from './events.ts'
import { Secret } from './secret.tsx'

/** Makes a webhook, or changes the one that is given. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<EventName[]>(webhook?.events ?? ['*'])
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const save = useSave({
    touches: ['webhooks'],
    run: async () => {
      const body = { url, events, description: description || null }
      if (webhook) return void (await parley.webhooks.update(webhook.id, body, onlyIfUnchanged(webhook)))
      setMade(await parley.webhooks.create(body))
    },
    ...(webhook && { done: 'Saved', onDone: onClose }),
  })
  const isAll = events.includes('*')
  const leave = () => {
    onClose()
    if (made) void navigate({ to: `/webhooks/${made.id}` })
  }
  return (
    <FormDialog
      title={made ? 'Its signing secret' : webhook ? 'Change webhook' : 'New webhook'}
      save={save}
      action={webhook ? 'Save' : 'Create webhook'}
      isComplete={url.trim() !== '' && events.length > 0}
      onClose={leave}
      instead={made && <Secret secret={made.secret} onDone={leave} />}
    >
      {(wrong) => (
        <>
          <TextField
            label="Address"
            type="url"
            hint="Events are sent there by POST."
            value={url}
            onChange={setUrl}
            placeholder="https://example.com/hooks/parley"
            error={wrong('url')}
          />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            placeholder="To the CRM"
            error={wrong('description')}
          />
          <fieldset className="choices">
            <legend>Events</legend>
            <CheckField label="Everything" checked={isAll} onChange={(is) => setEvents(is ? ['*'] : [])} />
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
          {wrong('events') && <p className="notice bad">{wrong('events')}</p>}
        </>
      )}
    </FormDialog>
  )
}
