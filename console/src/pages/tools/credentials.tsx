import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { Button } from '../../ui/button.tsx'
import { AuthFields, writable } from './auth-fields.tsx'
import type { ApiTool } from './tool-types.ts'

/** Sets the credentials of imported tools that have the same authentication. */
export function Credentials({ tool, ids }: { tool: ApiTool; ids: string[] }) {
  const form = useForm({
    saved: { auth: writable(tool.auth) },
    invalidates: ['tools', 'api-tools'],
    run: async ({ auth }) => {
      for (const id of ids) await parley.apiTools.update(id, { auth })
      return ids.length
    },
    toast: (count) => `Credentials saved for ${count} ${count === 1 ? 'tool' : 'tools'}`,
  })
  if (form.save.isSuccess) return <p className="notice">Credentials saved.</p>
  return (
    <form
      className="stack notice warn"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <p>
        {ids.length === 1 ? `${tool.name} needs` : `${ids.length} tools need`} credentials before{' '}
        {ids.length === 1 ? 'it' : 'they'} can be called.
      </p>
      <AuthFields form={form.part('auth')} saved={tool.auth} />
      <div className="row">
        <Button type="submit" variant="primary" busy={form.save.isPending}>
          Save credentials
        </Button>
      </div>
    </form>
  )
}
