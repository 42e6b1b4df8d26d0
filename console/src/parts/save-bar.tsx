import { Save } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'

interface SaveBarProps {
  /** The names of the fields that differ. */
  changed: string[]
  /** Whether every field can be parsed. */
  isValid?: boolean
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

const statusText = (changed: string[], isValid: boolean): string => {
  if (!isValid) return 'Fix the invalid fields above to save.'
  return changed.length > 0 ? `Unsaved changes: ${changed.join(', ').replaceAll('_', ' ')}` : 'No unsaved changes'
}

/** Lists unsaved changes, saves with the button or Ctrl+S, and asks before leaving. */
export function SaveBar({ changed, isValid = true, busy, onSave, onDiscard }: SaveBarProps) {
  const isChanged = changed.length > 0 || !isValid
  const maySave = isChanged && isValid && !busy
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (maySave) onSave()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [maySave, onSave])

  return (
    <div className="save-bar">
      <UnsavedChanges isChanged={isChanged} busy={busy} />
      <span className="muted small grow">{statusText(changed, isValid)}</span>
      {isChanged && <Button onClick={onDiscard}>Discard</Button>}
      <Button variant="primary" icon={Save} busy={busy} disabled={!maySave} onClick={onSave}>
        Save
      </Button>
    </div>
  )
}
