import type { Message } from '@parley/client'
import { Pencil, UserRound } from 'lucide-react'
import { type KeyboardEvent, memo, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/code.tsx'
import { SentAt } from '../ui/time.tsx'
import type { ChatSession } from './chat-session.ts'
import { isStored } from './message.ts'
import { MessageAttachments } from './message-attachments.tsx'
import { MessageVersions } from './versions.tsx'

export interface Edit {
  message: string
  text: string
}

interface QuestionProps {
  message: Message
  session: ChatSession
  mayEdit: boolean
  maySwitch: boolean
  /** Whether it is the message that was looked for. */
  isFound: boolean
  /** The text being edited. */
  edited: string | null
  onEdit: (edit: Edit | null) => void
}

/** A message of the user. It can be edited and sent again. */
export const Question = memo(({ message, session, mayEdit, maySwitch, isFound, edited, onEdit }: QuestionProps) => (
  <div id={message.id} className={`message user${message.author ? ' by-other' : ''}${isFound ? ' found' : ''}`}>
    {edited !== null ? (
      <EditForm
        text={edited}
        onCancel={() => onEdit(null)}
        onSave={async (text) => {
          onEdit(null)
          if (!(await session.edit(message.id, text))) onEdit({ message: message.id, text })
        }}
      />
    ) : (
      <>
        {message.author && (
          <p className="author" title={message.author.user_id ?? ''}>
            <UserRound aria-hidden size={14} /> {message.author.name}
          </p>
        )}
        <MessageAttachments attachments={message.attachments} />
        <div className="bubble" dir="auto">
          {message.content || <em>Results of the client’s functions</em>}
        </div>
        <footer className="message-foot">
          <SentAt at={message.created_at} />
          <CopyButton text={message.content} label="Copy message" />
          {mayEdit && isStored(message) && (
            <span className="while-idle">
              <IconButton
                icon={Pencil}
                label="Edit message"
                onClick={() => onEdit({ message: message.id, text: message.content })}
              />
            </span>
          )}
          <MessageVersions message={message} session={session} disabled={!maySwitch} />
        </footer>
      </>
    )}
  </div>
))

interface EditFormProps {
  text: string
  onSave: (text: string) => void
  onCancel: () => void
}

function EditForm({ text: initial, onSave, onCancel }: EditFormProps) {
  const [text, setText] = useState(initial)
  const save = () => {
    if (text.trim() !== '') onSave(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      save()
    }
  }
  return (
    <form
      className="message-edit"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit it
        autoFocus
        rows={2}
        aria-label="Edit message"
        dir="auto"
        value={text}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(initial.length, initial.length)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <Button small onClick={onCancel}>
          Cancel
        </Button>
        <Button small type="submit" variant="primary" disabled={text.trim() === ''}>
          Send
        </Button>
      </div>
    </form>
  )
}
