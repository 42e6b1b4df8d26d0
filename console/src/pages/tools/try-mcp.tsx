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
import type { ApiTool } from './kinds.ts'

interface ServerTool {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** The tools of an MCP server, as it describes them, each to be tried. */
export function TryMcp({ tool }: { tool: ApiTool }) {
  const listing = useQuery({
    queryKey: ['api-tools', tool.id, 'offered'],
    queryFn: ({ signal }) => parley.apiTools.test(tool.id, { tool: null, arguments: {} }, { signal }),
    staleTime: 5 * 60_000,
  })
  const offered = (listing.data?.body as { tools?: ServerTool[] } | null | undefined)?.tools
  return (
    <Card
      title="Tools of the server"
      actions={
        <Button small icon={RefreshCw} busy={listing.isFetching} onClick={() => void listing.refetch()}>
          List again
        </Button>
      }
    >
      {listing.isPending && <Loading />}
      {listing.error && <ErrorPanel error={listing.error} onRetry={() => void listing.refetch()} />}
      {listing.data && !listing.data.ok && <p className="notice bad">{listing.data.error}</p>}
      {offered?.length === 0 && <p className="muted">It offers nothing.</p>}
      {offered && offered.length > 0 && <TryOne id={tool.id} offered={offered} />}
    </Card>
  )
}

function TryOne({ id, offered }: { id: string; offered: ServerTool[] }) {
  const [name, setName] = useState(offered[0]?.name ?? '')
  const chosen = offered.find((each) => each.name === name) ?? offered[0]
  const call = useSave({
    touches: [],
    run: (args: Record<string, unknown>) => parley.apiTools.test(id, { tool: chosen?.name ?? '', arguments: args }),
  })
  return (
    <>
      <ul className="offered" aria-label="Tools of the server">
        {offered.map((each) => (
          <li key={each.name}>
            <code>{each.name}</code> <span className="muted">{each.description}</span>
          </li>
        ))}
      </ul>
      <SelectField
        label="Try"
        value={chosen?.name ?? ''}
        onChange={(next) => {
          call.reset()
          setName(next)
        }}
        options={offered.map((each) => ({ value: each.name, label: each.name }))}
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
