import type { BodyOf, Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Operations } from './operations.tsx'

type Outcome = Schemas['ApiToolImportResult']
type Body = BodyOf<'/api-tools/import', 'post'>

/** In three steps: where the document is, which of its operations, what became of them. */
export function Import({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [text, setText] = useState('')
  const [base, setBase] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const body = (isTrial: boolean): Body => ({
    dry_run: isTrial,
    ...(text.trim() ? { spec: text } : { url: url.trim() }),
    ...(base.trim() && { base_url: base.trim() }),
  })
  const look = useSave({
    touches: [],
    run: () => parley.apiTools.import(body(true)),
    onDone: ({ operations }) => setChosen(operations.map(({ operation }) => operation)),
  })
  const take = useSave({
    touches: ['tools', 'api-tools', 'status'],
    run: () => parley.apiTools.import({ ...body(false), operations: chosen }),
    done: ({ created, updated }) => `${created.length} tools made, ${updated.length} updated`,
  })
  const wrong = fieldErrors(look.error)
  return (
    <Dialog
      open
      wide
      onOpenChange={(is) => !is && onClose()}
      title="Import from OpenAPI"
      description="Every operation of an OpenAPI 3 document can become a tool. Importing it again updates them."
    >
      {take.data ? (
        <Done outcome={take.data} onClose={onClose} />
      ) : look.data ? (
        <div className="stack">
          <Operations outcome={look.data} chosen={chosen} onChange={setChosen} />
          <div className="dialog-foot">
            <Button onClick={() => look.reset()}>Back</Button>
            <Button
              variant="primary"
              busy={take.isPending}
              disabled={chosen.length === 0}
              onClick={() => take.mutate(undefined)}
            >
              Import {chosen.length}
            </Button>
          </div>
        </div>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            look.mutate(undefined)
          }}
        >
          <TextField
            label="Address of the document"
            value={url}
            placeholder="https://api.example.com/openapi.json"
            error={wrong('url')}
            onChange={setUrl}
          />
          <TextArea
            label="Or its text"
            hint="JSON or YAML."
            rows={6}
            mono
            value={text}
            error={wrong('spec')}
            onChange={setText}
          />
          <TextField
            label="Address of the API"
            hint="Where the document does not say it, or says another one."
            value={base}
            error={wrong('base_url')}
            onChange={setBase}
          />
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="primary"
              busy={look.isPending}
              disabled={url.trim() === '' && text.trim() === ''}
            >
              Show operations
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Done({
  outcome: { created, updated, secrets_needed: needed },
  onClose,
}: {
  outcome: Outcome
  onClose: () => void
}) {
  const tools = [...created, ...updated]
  const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  return (
    <div className="stack">
      <ul className="offered" aria-label="Imported tools">
        {tools.map(({ id, name, description }) => (
          <li key={id}>
            <Link to={`/tools/api/${id}`}>{name}</Link> <span className="muted">{description}</span>
          </li>
        ))}
      </ul>
      {needed.map(({ auth, secret, tool_ids: ids }) => (
        <p key={`${auth} ${secret} ${ids[0]}`} className="notice warn">
          <span>
            Still to be set before these can be called ({secret}):{' '}
            {ids.map((id, place) => (
              <span key={id}>
                {place > 0 && ', '}
                <Link to={`/tools/api/${id}`}>{nameOf(id)}</Link>
              </span>
            ))}
          </span>
        </p>
      ))}
      <div className="dialog-foot">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
