import type { ResponseData } from '@parley/client'
import { Brain, Download, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { saveAs } from '../../api/save-as.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { PersonFilter } from '../../parts/person-fields.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { showError } from '../../ui/toasts.tsx'
import { MemoryDialog } from './memory-dialog.tsx'
import { MemorySwitch } from './memory-switch.tsx'

type Memory = ResponseData<'/memories/{id}', 'get'>

/** The facts that agents remember of the caller, and for administrators of everybody. */
export default function Memories() {
  const { search } = useListParams()
  const mayAdminister = useMay()('administer')
  const me = useMe().data
  const agents = useAgents().data
  const personName = usePersonName()
  const [edited, setEdited] = useState<Memory>()
  const remove = useSave({
    invalidates: ['memories'],
    run: (id: string) => parley.memories.delete(id),
    toast: 'Memory deleted',
  })
  const person = mayAdminister ? search.user : (me?.user_id ?? undefined)
  const filter = { ...(mayAdminister && search.user && { user_id: search.user }) }
  return (
    <ListPage
      title="Memories"
      back={me?.role === 'user' ? { to: '/chat', label: 'Chat' } : undefined}
      lead={
        mayAdminister
          ? 'What agents remember of people, and what they have learned.'
          : 'What agents remember of you. You can change or delete it.'
      }
      resource={['memories', search.user]}
      read={(query, options) => parley.memories.list({ ...query, ...filter, sort: 'updated_at' }, options)}
      search="Search memories"
      none="No matching memories"
      {...(mayAdminister && {
        filters: { names: ['user'], controls: <PersonFilter label="Person" name="user" /> },
      })}
      actions={
        <>
          <Button icon={Download} onClick={() => void exportAll(filter).catch(showError)}>
            Export
          </Button>
          {person && <DeleteAll person={person} name={personName(person)} />}
        </>
      }
      empty={{
        icon: Brain,
        title: 'Nothing remembered yet',
        text: 'Agents with memory keep facts that people tell them, and recall them in later conversations.',
      }}
      create={{
        label: 'New memory',
        may: 'converse',
        dialog: (close) => <MemoryDialog isForOthers={mayAdminister} onClose={close} />,
      }}
      columns={[
        {
          title: 'Memory',
          cell: ({ content, edited: isEdited, user_id: user }) => (
            <>
              {content} {isEdited && <Badge>edited</Badge>}
              {mayAdminister && (
                <span className="muted two-lines">{user === null ? 'About nobody' : personName(user)}</span>
              )}
            </>
          ),
        },
        {
          title: 'Agent',
          minor: true,
          cell: ({ agent_id: agent }) => (agent === null ? 'All' : nameById(agents, agent)),
        },
        { title: 'Changed', minor: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
        {
          title: 'Recalled',
          minor: true,
          cell: ({ last_recalled_at: at }) => (at === null ? 'Never' : <Ago at={at} />),
        },
        {
          title: '',
          numeric: true,
          cell: (memory) => (
            <span>
              <IconButton icon={Pencil} label={`Edit ${memory.content}`} onClick={() => setEdited(memory)} />
              <Confirm
                trigger={<IconButton icon={Trash2} label={`Delete ${memory.content}`} />}
                title="Delete the memory?"
                text="No agent recalls it any more."
                action="Delete"
                onConfirm={() => remove.mutateAsync(memory.id).catch(() => {})}
              />
            </span>
          ),
        },
      ]}
    >
      {mayAdminister && <MemorySwitch />}
      {edited && <MemoryDialog memory={edited} isForOthers={mayAdminister} onClose={() => setEdited(undefined)} />}
    </ListPage>
  )
}

async function exportAll(filter: { user_id?: string }): Promise<void> {
  const all = await parley.memories.list({ ...filter, limit: 100 }).all(100_000)
  await saveAs(Response.json(all), 'memories.json')
}

function DeleteAll({ person, name }: { person: string; name: string }) {
  const removeAll = useSave({
    invalidates: ['memories'],
    run: () => parley.memories.deleteAll({ user_id: person }),
    toast: 'Memories deleted',
  })
  return (
    <Confirm
      trigger={<Button icon={Trash2}>Delete all</Button>}
      title={`Delete everything that is remembered of ${name}?`}
      text="This cannot be undone."
      action="Delete all"
      onConfirm={() => removeAll.mutateAsync(undefined).catch(() => {})}
    />
  )
}
