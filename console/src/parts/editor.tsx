import { Save } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import type { Form } from './form.ts'
import { UnsavedChanges } from './unsaved-changes.tsx'

interface SaveBarProps {
  form: Pick<Form<object>, 'changes' | 'isValid' | 'submit' | 'discard' | 'resets'> & { save: { isPending: boolean } }
}

const statusText = (changed: string[], isValid: boolean): string => {
  if (!isValid) return 'Fix the invalid fields above to save.'
  return changed.length > 0 ? `Unsaved changes: ${changed.join(', ').replaceAll('_', ' ')}` : 'No unsaved changes'
}

/** Lists unsaved changes, saves with the button or Ctrl+S, and asks before leaving. */
export function SaveBar({ form: { changes, isValid, save, submit, discard } }: SaveBarProps) {
  const changed = Object.keys(changes)
  const busy = save.isPending
  const isChanged = changed.length > 0 || !isValid
  const maySave = isChanged && isValid && !busy
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (maySave) submit()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [maySave, submit])

  return (
    <div className="save-bar">
      <UnsavedChanges isChanged={isChanged} busy={busy} />
      <span className="muted small grow">{statusText(changed, isValid)}</span>
      {isChanged && <Button onClick={discard}>Discard</Button>}
      <Button variant="primary" icon={Save} busy={busy} disabled={!maySave} onClick={submit}>
        Save
      </Button>
    </div>
  )
}

interface EditorProps extends SaveBarProps {
  mayWrite?: boolean
  children: ReactNode
}

/** The fields of a page, and the bar that saves them. Without permission they are only shown. */
export const Editor = ({ form, mayWrite = true, children }: EditorProps) => (
  <div className="sections">
    <fieldset key={form.resets} className="unframed sections" disabled={!mayWrite}>
      {children}
    </fieldset>
    {mayWrite && <SaveBar form={form} />}
  </div>
)
