import { Save } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'

interface SaveBarProps {
  /** The names of the fields that differ. */
  changed: string[]
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

/** Says what is not saved yet. Saves with Ctrl S too, and does not let a page close over it unasked. */
export function SaveBar({ changed, busy, onSave, onDiscard }: SaveBarProps) {
  const isChanged = changed.length > 0
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (isChanged && !busy) onSave()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isChanged, busy, onSave])

  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])

  return (
    <div className="save-bar">
      <span className="muted small grow">
        {isChanged ? `Unsaved: ${changed.join(', ').replaceAll('_', ' ')}` : 'Everything is saved.'}
      </span>
      {isChanged && <Button onClick={onDiscard}>Discard</Button>}
      <Button variant="primary" icon={Save} busy={busy} disabled={!isChanged} onClick={onSave}>
        Save
      </Button>
    </div>
  )
}
