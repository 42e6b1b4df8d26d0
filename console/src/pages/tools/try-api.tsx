import { parley } from '../../api/parley.ts'
import { Card } from '../../ui/page.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import type { ApiTool } from './tool-types.ts'

/** Calls the saved tool with the entered arguments. */
export const TryApi = ({ tool }: { tool: ApiTool }) => (
  <Card title="Try it">
    <p className="muted small">This calls the real API. Secrets are masked.</p>
    <ArgumentsForm
      schema={tool.parameters ?? {}}
      call={(args) => parley.apiTools.test(tool.id, { tool: null, arguments: args })}
    />
  </Card>
)
