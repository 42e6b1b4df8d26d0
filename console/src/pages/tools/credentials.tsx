import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { type Auth, AuthFields, writable } from './auth-fields.tsx'
import type { ApiTool } from './tool-types.ts'

/** Sets the credentials of imported tools that have the same authentication. */
export function Credentials({ tool, ids }: { tool: ApiTool; ids: string[] }) {
  const [auth, setAuth] = useState<Auth>(() => writable(tool.auth))
  const save = useSave({
    invalidates: ['tools', 'api-tools'],
    run: async () => {
      for (const id of ids) await parley.apiTools.update(id, { auth })
      return ids.length
    },
    toast: (count) => `Credentials saved for ${count} ${count === 1 ? 'tool' : 'tools'}`,
  })
  if (save.isSuccess) return <p className="notice">Credentials saved.</p>
  return (
    <form
      className="stack notice warn"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined)
      }}
    >
      <p>
        {ids.length === 1 ? `${tool.name} needs` : `${ids.length} tools need`} credentials before{' '}
        {ids.length === 1 ? 'it' : 'they'} can be called.
      </p>
      <AuthFields value={auth} saved={tool.auth} onChange={setAuth} errorAt={fieldErrors(save.error)} />
      <div className="row">
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save credentials
        </Button>
      </div>
    </form>
  )
}
