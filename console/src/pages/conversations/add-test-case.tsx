import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical, Plus } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { IconButton } from '../../ui/button.tsx'
import { distinguish } from '../../ui/distinct.ts'
import { explain, toFailure } from '../../ui/errors.ts'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'

interface CaseProps {
  conversation: string
  message: string
  agent: string
}

/** Adds a question and its reply to an evaluation as a test case. */
export const AddTestCase = (props: CaseProps) => (
  <Menu trigger={null} render={<IconButton icon={FlaskConical} label="Add to evaluation" />}>
    <Evaluations {...props} />
  </Menu>
)

/** Mounted only while the menu is open, so evaluations are loaded on demand. */
function Evaluations({ conversation, message, agent }: CaseProps) {
  const navigate = useNavigate()
  const evaluations = useQuery({
    queryKey: ['evaluations', 'list', 'all'],
    queryFn: ({ signal }) => parley.evaluations.list({ limit: 100, sort: 'updated_at' }, { signal }).all(100),
  })
  const add = useSave({
    invalidates: ['evaluations'],
    run: ({ id }: { id: string; name: string }) =>
      parley.evaluations.caseFromMessage(id, { conversation_id: conversation, message_id: message }),
    toast: ({ case: index }) => `Added as case ${index + 1} with this reply as the expected answer`,
  })
  // Evaluations of this agent first.
  const rows = [...(evaluations.data ?? [])].sort(
    (one, other) => Number(other.target_id === agent) - Number(one.target_id === agent),
  )
  const notes = distinguish(rows)
  return (
    <>
      <MenuGroup label="Add to evaluation">
        {evaluations.isPending && <p className="menu-label">Loading…</p>}
        {evaluations.error && <p className="menu-label">{explain(toFailure(evaluations.error)).text}</p>}
        {rows.map(({ id, name }) => (
          <MenuItem key={id} icon={FlaskConical} onClick={() => add.mutate({ id, name })}>
            <span>
              {name}
              {notes.has(id) && <span className="field-note">{notes.get(id)}</span>}
            </span>
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuItem icon={Plus} onClick={() => void navigate({ to: '/evaluations', search: { new: 'yes' } as never })}>
        New evaluation
      </MenuItem>
    </>
  )
}
