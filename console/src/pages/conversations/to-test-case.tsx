import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical, Plus } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'

interface CaseProps {
  conversation: string
  message: string
  agent: string
}

/** Makes a question and its reply a case of an evaluation. */
export const ToTestCase = (props: CaseProps) => (
  <Menu trigger={null} render={<IconButton icon={FlaskConical} label="Turn into a test case" />}>
    <Evaluations {...props} />
  </Menu>
)

/** Is there only while the menu is open, so nothing is asked for before. */
function Evaluations({ conversation, message, agent }: CaseProps) {
  const navigate = useNavigate()
  const evaluations = useQuery({
    queryKey: ['evaluations', 'list', 'all'],
    queryFn: ({ signal }) => parley.evaluations.list({ limit: 100, sort: 'updated_at' }, { signal }).all(100),
  })
  const add = useSave({
    touches: ['evaluations'],
    run: ({ id }: { id: string; name: string }) =>
      parley.evaluations.caseFromMessage(id, { conversation_id: conversation, message_id: message }),
    done: ({ case: place }) => `It is case ${place + 1} now, with this reply as the expected answer`,
  })
  // Those of this agent first: the case is most likely meant for one of them.
  const rows = [...(evaluations.data ?? [])].sort(
    (one, other) => Number(other.target_id === agent) - Number(one.target_id === agent),
  )
  return (
    <>
      <MenuGroup label="Add to an evaluation">
        {evaluations.isPending && <p className="menu-label">Loading…</p>}
        {evaluations.error && <p className="menu-label">{evaluations.error.message}</p>}
        {rows.map(({ id, name }) => (
          <MenuItem key={id} icon={FlaskConical} onClick={() => add.mutate({ id, name })}>
            {name}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuItem icon={Plus} onClick={() => void navigate({ to: '/evaluations', search: { new: 'yes' } as never })}>
        New evaluation
      </MenuItem>
    </>
  )
}
