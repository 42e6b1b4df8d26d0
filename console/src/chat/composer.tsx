import { Send, Square } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { showError } from '../ui/toasts.tsx'
import { readDraft, saveDraft } from './composer-drafts.ts'
import { AttachButton, PendingFiles } from './pending-files.tsx'
import { type Attachment, useAttachments } from './use-attachments.ts'

interface ComposerProps {
  isRunning: boolean
  placeholder: string
  /** The storage key of the unsent message. */
  draft: string
  field?: Ref<HTMLTextAreaElement>
  /** Whether files can be attached. */
  mayAttach?: boolean
  onSend: (text: string, attachments: Attachment[]) => Promise<boolean>
  onStop: () => void
  /** Edits the last message that was sent. */
  onEditLast?: () => void
}

export function Composer(props: ComposerProps) {
  const { isRunning, placeholder, draft, field, mayAttach = false, onSend, onStop, onEditLast } = props
  const [text, setText] = useState(() => readDraft(draft))
  useEffect(() => saveDraft(draft, text), [draft, text])
  const { files, add, remove, clear } = useAttachments()
  const ready = files.flatMap(({ attachment }) => attachment ?? [])
  const isReading = files.some(({ attachment, error }) => attachment === null && error === null)
  const canSend = text.trim() !== '' && !isRunning && (isReading || ready.length === files.length)
  /** The message is sent as soon as its files are read. */
  const [isWaiting, setIsWaiting] = useState(false)
  const send = async () => {
    const message = text.trim()
    if (!canSend) return
    setIsWaiting(isReading)
    if (isReading) return
    setText('')
    if (await onSend(message, ready)) clear(files)
    else setText((now) => now || message)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the files are read
  useEffect(() => {
    if (!isWaiting || isReading) return
    setIsWaiting(false)
    void send()
  }, [isWaiting, isReading])
  const attach = (chosen: File[]) => {
    if (!add(chosen)) showError(new Error('Send the others with another one.'), 'A message can have at most 10 files')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape' && isRunning) {
      event.stopPropagation() // a dialog around it stays open
      onStop()
    } else if (event.key === 'ArrowUp' && text === '' && !isRunning && onEditLast) {
      event.preventDefault()
      onEditLast()
    }
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {files.length > 0 && <PendingFiles files={files} onRemove={remove} />}
      {mayAttach && <AttachButton onFiles={attach} />}
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        dir="auto"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (!mayAttach || pasted.length === 0) return
          event.preventDefault()
          attach(pasted)
        }}
      />
      {isRunning ? (
        <Button icon={Square} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button type="submit" variant="primary" icon={Send} busy={isWaiting} disabled={!canSend}>
          Send
        </Button>
      )}
    </form>
  )
}
