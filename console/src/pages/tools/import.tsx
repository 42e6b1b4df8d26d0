import type { RequestBody, Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextArea, TextField } from '../../ui/field.tsx'
import { Credentials } from './credentials.tsx'
import { Operations } from './operations.tsx'

type Outcome = Schemas['ApiToolImportResult']
type Body = RequestBody<'/api-tools/import', 'post'>

const body = (draft: typeof empty, isDryRun: boolean): Body => ({
  dry_run: isDryRun,
  ...(draft.spec.trim() ? { spec: draft.spec } : { url: draft.url.trim() }),
  ...(draft.base_url.trim() && { base_url: draft.base_url.trim() }),
  ...(!draft.requires_approval && { requires_approval: false }),
})

const empty = { url: '', spec: '', base_url: '', requires_approval: true, operations: [] as string[] }

/** Three steps: enter the document, select operations, see the imported tools. */
export function Import({ onClose }: { onClose: () => void }) {
  const form = useForm({
    saved: empty,
    invalidates: [],
    run: (draft) => parley.apiTools.import(body(draft, true)),
    onDone: ({ operations }) => {
      // Operations that write must be selected explicitly.
      const reading = operations.map(({ operation }) => operation).filter((each) => /^(GET|HEAD|OPTIONS) /.test(each))
      form.change({ operations: reading })
    },
  })
  const importTools = useSave({
    invalidates: ['tools', 'api-tools', 'status'],
    run: () => parley.apiTools.import({ ...body(form.draft, false), operations: form.draft.operations }),
    toast: ({ created, updated }) => `${created.length} created, ${updated.length} updated`,
  })
  const { url, spec, operations, requires_approval: approveWrites } = form.draft
  const choose = form.save.data && (
    <div className="stack">
      <Operations outcome={form.save.data} approveWrites={approveWrites} {...form.field('operations')} />
      <CheckField
        label="Require approval for operations that write"
        hint="All but GET, HEAD and OPTIONS. You can change it for each tool later."
        {...form.field('requires_approval')}
      />
      <div className="dialog-foot">
        <Button onClick={form.save.reset}>Back</Button>
        <Button
          variant="primary"
          busy={importTools.isPending}
          disabled={operations.length === 0}
          onClick={() => importTools.mutate(undefined)}
        >
          Import {operations.length}
        </Button>
      </div>
    </div>
  )
  return (
    <FormDialog
      wide
      title="Import from OpenAPI"
      description="Each operation of an OpenAPI 3 or Swagger 2.0 document can become a tool. Import it again to update them."
      form={form}
      action="Show operations"
      isComplete={url.trim() !== '' || spec.trim() !== ''}
      onClose={onClose}
      instead={importTools.data ? <Done outcome={importTools.data} onClose={onClose} /> : choose}
    >
      <TextField label="Document URL" placeholder="https://api.example.com/openapi.json" {...form.field('url')} />
      <TextArea label="Or paste the document" hint="JSON or YAML." rows={6} mono {...form.field('spec')} />
      <TextField label="API base URL" hint="Overrides the server URL in the document." {...form.field('base_url')} />
    </FormDialog>
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
