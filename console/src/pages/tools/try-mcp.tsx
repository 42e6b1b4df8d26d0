import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import { CallResult } from './call-result.tsx'
import type { ApiTool } from './tool-types.ts'

interface ServerTool {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** Lists the tools of an MCP server and calls one of them. */
export function TryMcp({ tool }: { tool: ApiTool }) {
  const listing = useQuery({
    queryKey: ['api-tools', tool.id, 'server-tools'],
    queryFn: ({ signal }) => parley.apiTools.test(tool.id, { tool: null, arguments: {} }, { signal }),
    staleTime: 5 * 60_000,
  })
  const serverTools = (listing.data?.body as { tools?: ServerTool[] } | null | undefined)?.tools
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
      {listing.data && !listing.data.ok && <p className="notice bad">{listing.data.error}</p>}
      {serverTools?.length === 0 && <p className="muted">This server has no tools.</p>}
      {serverTools && serverTools.length > 0 && <TryOne id={tool.id} serverTools={serverTools} />}
    </Card>
  )
}

function TryOne({ id, serverTools }: { id: string; serverTools: ServerTool[] }) {
  const [name, setName] = useState(serverTools[0]?.name ?? '')
  const chosen = serverTools.find((each) => each.name === name) ?? serverTools[0]
  const call = useSave({
    invalidates: [],
    run: (args: Record<string, unknown>) => parley.apiTools.test(id, { tool: chosen?.name ?? '', arguments: args }),
  })
  return (
    <>
      <ul className="offered" aria-label="Server tools">
        {serverTools.map((each) => (
          <li key={each.name}>
            <code>{each.name}</code> <span className="muted">{each.description}</span>
          </li>
        ))}
      </ul>
      <SelectField
        label="Tool"
        value={chosen?.name ?? ''}
        onChange={(next) => {
          call.reset()
          setName(next)
        }}
        options={serverTools.map((each) => ({ value: each.name, label: each.name }))}
      />
      {chosen && (
        <ArgumentsForm
          key={chosen.name}
          schema={chosen.parameters}
          action="Call"
          busy={call.isPending}
          error={call.error}
          onCall={(args) => call.mutate(args)}
        />
      )}
      {call.data && <CallResult result={call.data} />}
    </>
  )
}
