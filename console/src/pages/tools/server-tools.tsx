import type { Schemas } from '@parley/client'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Diff } from '../../ui/diff.tsx'
import { CheckField } from '../../ui/field.tsx'
import { Badge } from '../../ui/page.tsx'
import type { ApiTool } from './tool-types.ts'

type ServerTools = Schemas['McpServerTools']
export type ServerTool = ServerTools['tools'][number]
type Choice = NonNullable<ApiTool['tools']>[number]

const changeLabels = { added: 'New', changed: 'Changed', removed: 'Removed' }

type ToolPart = { description: string | null; parameters: object | null; read_only: boolean }

const toolText = (part: ToolPart | null): string =>
  part === null || part.description === null
    ? ''
    : `${part.description}\n\n${part.read_only ? 'Only reads.\n\n' : ''}${JSON.stringify(part.parameters, null, 2)}`

/** Changes of an MCP server since its tools were accepted. Agents get them once someone accepts them. */
export function ToolChanges({ tool, listing, mayWrite }: { tool: ApiTool; listing: ServerTools; mayWrite: boolean }) {
  const accept = useSave({
    invalidates: ['api-tools'],
    run: (version: string) => parley.apiTools.acceptTools(tool.id, { version }),
    toast: 'Changes accepted',
  })
  const changed = listing.tools.filter((each) => each.change !== null && (each.offered || each.tool_name !== null))
  if (!listing.has_changes || listing.version === null) return null
  const { version } = listing
  return (
    <section className="notice" aria-label="Changed tools">
      <p>This server changed its tools. Review the changes: agents get them after you accept.</p>
      {changed.map((each) => (
        <details key={each.name}>
          <summary>
            <code>{each.name}</code> <Badge>{changeLabels[each.change ?? 'changed']}</Badge>
          </summary>
          <Diff before={toolText(each)} after={toolText(each.offered)} />
        </details>
      ))}
      {mayWrite && (
        <Button small icon={Check} busy={accept.isPending} onClick={() => accept.mutate(version)}>
          Accept changes
        </Button>
      )}
    </section>
  )
}

const toChoices = (tools: ServerTool[]): Choice[] =>
  tools.filter(({ enabled }) => enabled).map(({ name, requires_approval }) => ({ name, requires_approval }))

/** Chooses the tools that agents may use, and those that need approval. Each change is saved at once. */
export function ToolChoices({ tool, tools, mayWrite }: { tool: ApiTool; tools: ServerTool[]; mayWrite: boolean }) {
  const save = useSave({
    invalidates: ['api-tools', 'tools'],
    run: (next: ServerTool[]) => parley.apiTools.update(tool.id, { tools: toChoices(next) }),
  })
  // Local choices override the saved ones until these are loaded again, so that a second change does not undo the first.
  const [draft, setDraft] = useState<{ of: ServerTool[]; tools: ServerTool[] } | null>(null)
  const shown = draft?.of === tools && !save.isError ? draft.tools : tools
  const choose = (changed: ServerTool) => {
    const next = shown.map((each) => (each.name === changed.name ? changed : each))
    setDraft({ of: tools, tools: next })
    save.mutate(next)
  }
  return (
    <ul className="offered" aria-label="Server tools">
      {shown.map((each) => (
        <li key={each.name}>
          <CheckField
            label={each.name}
            hint={each.description ?? each.offered?.description ?? ''}
            value={each.enabled}
            disabled={!mayWrite || save.isPending}
            onChange={(enabled) => choose({ ...each, enabled })}
          />
          {each.enabled && (
            <CheckField
              label={`Require approval for ${each.name}`}
              value={each.requires_approval}
              disabled={!mayWrite || save.isPending}
              onChange={(is) => choose({ ...each, requires_approval: is })}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
