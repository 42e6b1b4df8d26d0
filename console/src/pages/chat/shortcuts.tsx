import { useEffect } from 'react'
import { Dialog } from '../../ui/dialog.tsx'

const isMac = navigator.platform.startsWith('Mac')
const control = isMac ? '⌘' : 'Ctrl'

const shortcuts: [keys: string[], action: string][] = [
  [['Enter'], 'Send the message'],
  [['Shift', 'Enter'], 'New line'],
  [['↑'], 'Edit your last message, if the field is empty'],
  [['Esc'], 'Stop the reply, or cancel editing'],
  [[control, 'Shift', 'O'], 'New chat'],
  [['/'], 'Search chats'],
  [[control, '/'], 'Show keyboard shortcuts'],
]

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

export function useShortcuts({ onNew, onList }: { onNew: () => void; onList: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasControl = event.ctrlKey || event.metaKey
      const search = document.querySelector<HTMLElement>('.chat-history input[type=search]')
      if (hasControl && event.shiftKey && event.key.toLowerCase() === 'o') onNew()
      else if (hasControl && event.key === '/') onList()
      else if (event.key === '/' && !isTyping(event)) search?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onNew, onList])
}

export const Shortcuts = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
    <dl className="shortcuts">
      {shortcuts.map(([keys, action]) => (
        <div key={action}>
          <dt>{action}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
