import { Send, Square } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { readDraft, saveDraft } from './composer-drafts.ts'

interface ComposerProps {
  isRunning: boolean
  placeholder: string
  /** What an unsent message is kept under. */
  draft: string
  field?: Ref<HTMLTextAreaElement>
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
  /** Edits the last message that was sent. */
  onEditLast?: () => void
}

export function Composer({ isRunning, placeholder, draft, field, onSend, onStop, onEditLast }: ComposerProps) {
  const [text, setText] = useState(() => readDraft(draft))
  useEffect(() => saveDraft(draft, text), [draft, text])
  const send = async () => {
    const message = text.trim()
    if (message === '' || isRunning) return
    setText('')
    if (!(await onSend(message))) setText((now) => now || message)
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
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button icon={Square} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button type="submit" variant="primary" icon={Send} disabled={text.trim() === ''}>
          Send
        </Button>
      )}
    </form>
  )
}
