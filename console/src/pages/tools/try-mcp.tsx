import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import { type ServerTool, ToolChanges, ToolChoices } from './server-tools.tsx'
import type { ApiTool } from './tool-types.ts'

/** The tools of an MCP server: selecting them for agents, accepting changes, and trying a call. */
export function TryMcp({ tool }: { tool: ApiTool }) {
  const mayWrite = useMay()('write-configuration')
  const listing = useQuery({
    queryKey: ['api-tools', tool.id, 'server-tools'],
    queryFn: ({ signal }) =>
      mayWrite ? parley.apiTools.refreshTools(tool.id, { signal }) : parley.apiTools.tools(tool.id, { signal }),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const serverTools = listing.data?.tools
  return (
    <Card
      title="Server tools"
      actions={
        <Button small icon={RefreshCw} busy={listing.isFetching} onClick={() => void listing.refetch()}>
          Refresh
        </Button>
      }
    >
      {listing.isPending && <Loading />}
      {listing.error && <ErrorPanel error={listing.error} onRetry={() => void listing.refetch()} />}
      {listing.data && <ToolChanges tool={tool} listing={listing.data} mayWrite={mayWrite} />}
      {serverTools?.length === 0 && <p className="muted">This server has no tools.</p>}
      {serverTools && serverTools.length > 0 && (
        <>
          <ToolChoices tool={tool} tools={serverTools} mayWrite={mayWrite} />
          {mayWrite && <TryOne id={tool.id} serverTools={serverTools} />}
        </>
      )}
    </Card>
  )
}

function TryOne({ id, serverTools }: { id: string; serverTools: ServerTool[] }) {
  const [name, setName] = useState(serverTools[0]?.name ?? '')
  const chosen = serverTools.find((each) => each.name === name) ?? serverTools[0]
  if (!chosen) return null
  return (
    <>
      <SelectField
        label="Tool"
        value={chosen.name}
        onChange={setName}
        options={serverTools.map((each) => ({ value: each.name, label: each.name }))}
      />
      <ArgumentsForm
        key={chosen.name}
        schema={chosen.offered?.parameters ?? chosen.parameters ?? {}}
        call={(args) => parley.apiTools.test(id, { tool: chosen.name, arguments: args })}
      />
    </>
  )
}
