import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Card } from '../../ui/page.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import { CallResult } from './call-result.tsx'
import type { ApiTool } from './kinds.ts'

/** Calls the tool as it is saved, with what is filled in. */
export function TryApi({ tool }: { tool: ApiTool }) {
  const call = useSave({
    touches: [],
    run: (args: Record<string, unknown>) => parley.apiTools.test(tool.id, { tool: null, arguments: args }),
  })
  return (
    <Card title="Try it">
      <p className="muted small">This calls the real address. Secrets are masked in what is shown.</p>
      <ArgumentsForm
        schema={tool.parameters ?? {}}
        action="Call"
        busy={call.isPending}
        error={call.error}
        onCall={(args) => call.mutate(args)}
      />
      {call.data && <CallResult result={call.data} />}
    </Card>
  )
}
