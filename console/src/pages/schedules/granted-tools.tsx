import type { Schemas } from '@parley/client'
import { useAgents } from '../../api/lookups.ts'
import type { Fields } from '../../parts/form.ts'
import { ChecklistField } from '../../ui/checklist-field.tsx'
import { distinguish } from '../../ui/distinct.ts'
import { Card } from '../../ui/page.tsx'
import type { Draft } from './draft.ts'
import { useApiTools } from './lookups.ts'

type Approvers = Schemas['ApiTool']['approvers']

/** The approvers of a tool, in words. */
function approvers(named: Approvers): string {
  const { groups = [], users = [], exclude_requester: excludes } = named ?? {}
  const people = [...groups.map((name) => `group ${name}`), ...users]
  const who = people.length > 0 ? people.join(', ') : 'editors and above'
  return `Granted by ${who}${excludes ? ', but not whoever created the schedule' : ''}`
}

/** Tools that the runs of one schedule may call without approval. */
export function GrantedTools({ form }: { form: Fields<Pick<Draft, 'action' | 'approved_tools'>> }) {
  const { action, approved_tools: granted } = form.draft
  const agent = useAgents().data?.find(({ id }) => id === action.agent_id)
  const tools = (useApiTools().data ?? []).filter(
    ({ id, requires_approval: asks }) => granted.includes(id) || (asks !== false && agent?.tools.includes(id)),
  )
  const notes = distinguish(tools)
  if (action.type !== 'message' || tools.length + granted.length === 0) return null
  return (
    <Card title="Tools without approval">
      <p className="muted small">
        Runs of this schedule call these tools at once. Only those who may approve a tool can grant it. A grant ends
        when the tool changes: clear and set it again to renew it.
      </p>
      <ChecklistField
        label="Tools without approval"
        isLabelHidden
        {...form.field('approved_tools')}
        error={
          granted.map((_, at) => form.errorAt(`approved_tools[${at}]`)).find(Boolean) ?? form.errorAt('approved_tools')
        }
        options={tools.map(({ id, name, approvers: named }) => ({
          value: id,
          label: name,
          hint: [notes.get(id), approvers(named)].filter(Boolean).join('. '),
        }))}
      />
    </Card>
  )
}
