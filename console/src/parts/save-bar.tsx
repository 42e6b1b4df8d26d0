import { Save } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { Leaving } from './leaving.tsx'

interface SaveBarProps {
  /** The names of the fields that differ. */
  changed: string[]
  /** Whether all that was written can be read. */
  isValid?: boolean
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

const stateOf = (changed: string[], isValid: boolean): string => {
  if (!isValid) return 'Something above cannot be read.'
  return changed.length > 0 ? `Unsaved: ${changed.join(', ').replaceAll('_', ' ')}` : 'Everything is saved.'
}

/** Says what is not saved yet. Saves with Ctrl S too, and does not let anybody leave over it unasked. */
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
      <Leaving isChanged={isChanged} busy={busy} />
      <span className="muted small grow">{stateOf(changed, isValid)}</span>
      {isChanged && <Button onClick={onDiscard}>Discard</Button>}
      <Button variant="primary" icon={Save} busy={busy} disabled={!maySave} onClick={onSave}>
        Save
      </Button>
    </div>
  )
}
