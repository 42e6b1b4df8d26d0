import type { BodyOf, Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { CheckField, TextArea, TextField } from '../../ui/field.tsx'
import { Credentials } from './credentials.tsx'
import { Operations } from './operations.tsx'

type Outcome = Schemas['ApiToolImportResult']
type Body = BodyOf<'/api-tools/import', 'post'>

/** Three steps: enter the document, select operations, see the imported tools. */
export function Import({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [text, setText] = useState('')
  const [base, setBase] = useState('')
  const [approveWrites, setApproveWrites] = useState(true)
  const [chosen, setChosen] = useState<string[]>([])
  const body = (isDryRun: boolean): Body => ({
    dry_run: isDryRun,
    ...(text.trim() ? { spec: text } : { url: url.trim() }),
    ...(base.trim() && { base_url: base.trim() }),
    ...(!approveWrites && { requires_approval: false }),
  })
  const preview = useSave({
    invalidates: [],
    run: () => parley.apiTools.import(body(true)),
    // Operations that write must be selected explicitly.
    onDone: ({ operations }) =>
      setChosen(operations.map(({ operation }) => operation).filter((each) => /^(GET|HEAD|OPTIONS) /.test(each))),
  })
  const importTools = useSave({
    invalidates: ['tools', 'api-tools', 'status'],
    run: () => parley.apiTools.import({ ...body(false), operations: chosen }),
    toast: ({ created, updated }) => `${created.length} created, ${updated.length} updated`,
  })
  const errorAt = fieldErrors(preview.error)
  return (
    <Dialog
      open
      wide
      onOpenChange={(is) => !is && onClose()}
      title="Import from OpenAPI"
      description="Each operation of an OpenAPI 3 or Swagger 2.0 document can become a tool. Import it again to update them."
    >
      {importTools.data ? (
        <Done outcome={importTools.data} onClose={onClose} />
      ) : preview.data ? (
        <div className="stack">
          <Operations outcome={preview.data} chosen={chosen} approveWrites={approveWrites} onChange={setChosen} />
          <CheckField
            label="Require approval for operations that write"
            hint="All but GET, HEAD and OPTIONS. You can change it for each tool later."
            checked={approveWrites}
            onChange={setApproveWrites}
          />
          <div className="dialog-foot">
            <Button onClick={() => preview.reset()}>Back</Button>
            <Button
              variant="primary"
              busy={importTools.isPending}
              disabled={chosen.length === 0}
              onClick={() => importTools.mutate(undefined)}
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
            preview.mutate(undefined)
          }}
        >
          <TextField
            label="Document URL"
            value={url}
            placeholder="https://api.example.com/openapi.json"
            error={errorAt('url')}
            onChange={setUrl}
          />
          <TextArea
            label="Or paste the document"
            hint="JSON or YAML."
            rows={6}
            mono
            value={text}
            error={errorAt('spec')}
            onChange={setText}
          />
          <TextField
            label="API base URL"
            hint="Overrides the server URL in the document."
            value={base}
            error={errorAt('base_url')}
            onChange={setBase}
          />
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="primary"
              busy={preview.isPending}
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
  // One form for the tools with the same authentication, however many secrets that has.
  const groups = new Map(
    needed.flatMap(({ tool_ids: ids }) => {
      const first = tools.find(({ id }) => id === ids[0])
      return first ? [[first, ids] as const] : []
    }),
  )
  return (
    <div className="stack">
      <ul className="offered" aria-label="Imported tools">
        {tools.map(({ id, name, description }) => (
          <li key={id}>
            <Link to={`/tools/api/${id}`}>{name}</Link> <span className="muted">{description}</span>
          </li>
        ))}
      </ul>
      {[...groups].map(([first, ids]) => (
        <Credentials key={first.id} tool={first} ids={ids} />
      ))}
      <div className="dialog-foot">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
