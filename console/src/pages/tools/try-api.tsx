import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Card } from '../../ui/page.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import { CallResult } from './call-result.tsx'
import type { ApiTool } from './tool-types.ts'

/** Calls the saved tool with the entered arguments. */
export function TryApi({ tool }: { tool: ApiTool }) {
  const call = useSave({
    invalidates: [],
    run: (args: Record<string, unknown>) => parley.apiTools.test(tool.id, { tool: null, arguments: args }),
  })
  return (
    <Card title="Try it">
      <p className="muted small">This calls the real API. Secrets are masked.</p>
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
