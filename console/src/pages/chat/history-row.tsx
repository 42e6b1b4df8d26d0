import type { Schemas } from '@parley/client'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'

interface HistoryRowProps {
  row: Schemas['ListedConversation']
  isCurrent: boolean
  onOpen: (id: string, message?: string) => void
  onNew: () => void
}

export function HistoryRow({ row, isCurrent, onOpen, onNew }: HistoryRowProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const title = row.title ?? 'New chat'
  const remove = useSave({
    invalidates: ['chats', 'conversations'],
    run: () => parley.conversations.delete(row.id),
    toast: 'Chat deleted',
    onDone: () => {
      setDialog(null)
      if (isCurrent) onNew()
    },
  })
  return (
    <li className={isCurrent ? 'current' : ''}>
      <button
        type="button"
        className="clip"
        aria-current={isCurrent}
        dir="auto"
        title={title}
        onClick={() => onOpen(row.id, row.matches?.[0]?.message_id)}
      >
        {title}
      </button>
      <Menu trigger={null} render={<IconButton icon={Ellipsis} label={`Options of ${title}`} />}>
        <MenuGroup>
          <MenuItem icon={Pencil} onClick={() => setDialog('rename')}>
            Rename
          </MenuItem>
          <MenuItem icon={Trash2} onClick={() => setDialog('delete')}>
            Delete
          </MenuItem>
        </MenuGroup>
      </Menu>
      {dialog === 'rename' && <Rename row={row} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        open={dialog === 'delete'}
        title="Delete this chat?"
        text={`“${title}” and its messages are deleted permanently.`}
        cancelLabel="Cancel"
        action="Delete chat"
        busy={remove.isPending}
        onCancel={() => setDialog(null)}
        onConfirm={() => remove.mutate(undefined)}
      />
    </li>
  )
}

function Rename({ row, onClose }: { row: Schemas['Conversation']; onClose: () => void }) {
  const form = useForm({
    saved: { title: row.title ?? '' },
    invalidates: ['chats', 'conversations'],
    run: ({ title }) => parley.conversations.update(row.id, { title: title.trim() }),
    onDone: onClose,
  })
  const isComplete = form.draft.title.trim() !== ''
  return (
    <FormDialog title="Rename chat" action="Rename" form={form} isComplete={isComplete} onClose={onClose}>
      <TextField label="Title" selectsAll {...form.field('title')} />
    </FormDialog>
  )
}
