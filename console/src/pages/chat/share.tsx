import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/states.tsx'

/** Shares a conversation with the workspace by a link, or stops it. */
export function ShareButton({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon={Share2} label="Share" onClick={() => setOpen(true)} />
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Share this chat"
        description="Everyone in this workspace who may chat can read it with the link, including messages you add later. They cannot reply."
      >
        {open && <ShareSettings id={id} />}
      </Dialog>
    </>
  )
}

function ShareSettings({ id }: { id: string }) {
  const conversation = useQuery({
    queryKey: ['conversations', id, 'shared'],
    queryFn: ({ signal }) => parley.conversations.get(id, { signal }),
  })
  const save = useSave({
    invalidates: ['conversations'],
    run: (shared: boolean) => parley.conversations.update(id, { shared }),
  })
  if (conversation.error) return <ErrorPanel error={conversation.error} onRetry={() => void conversation.refetch()} />
  if (!conversation.data) return <Loading lines={2} />
  const link = `${location.origin}/chat?conversation=${id}`
  if (!conversation.data.shared)
    return (
      <div className="dialog-foot">
        <Button variant="primary" icon={Share2} busy={save.isPending} onClick={() => save.mutate(true)}>
          Create link
        </Button>
      </div>
    )
  return (
    <div className="stack">
      <div className="row nowrap">
        <input
          type="text"
          readOnly
          aria-label="Link"
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={link} label="Copy link" />
      </div>
      <div className="dialog-foot">
        <Button variant="danger" busy={save.isPending} onClick={() => save.mutate(false)}>
          Stop sharing
        </Button>
      </div>
    </div>
  )
}
