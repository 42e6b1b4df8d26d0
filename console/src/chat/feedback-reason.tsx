import { useState } from 'react'
import { Button } from '../ui/button.tsx'

interface FeedbackReasonProps {
  /** The reason that was sent before. */
  comment: string
  onSend: (comment: string | null) => void
  onClose: () => void
}

/** Asks what was wrong with a reply, after a thumbs-down. */
export function FeedbackReason({ comment, onSend, onClose }: FeedbackReasonProps) {
  const [text, setText] = useState(comment)
  return (
    <form
      className="feedback-reason"
      onSubmit={(event) => {
        event.preventDefault()
        onSend(text.trim() || null)
      }}
    >
      <input
        type="text"
        // biome-ignore lint/a11y/noAutofocus: it opens by the button before it
        autoFocus
        aria-label="What was wrong?"
        placeholder="What was wrong? (optional)"
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <Button small onClick={onClose}>
        Close
      </Button>
      <Button small type="submit" variant="primary">
        Send reason
      </Button>
    </form>
  )
}
