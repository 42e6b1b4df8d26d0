import type { Message } from '@parley/client'
import { Brain, Undo2 } from 'lucide-react'
import { parley } from '../api/parley.ts'
import { useSave } from '../api/save.ts'
import { Button } from '../ui/button.tsx'

interface RememberedProps {
  memories: Message['memories']
  /** Called with the id of a memory whose change was taken back. */
  onUndone: (id: string) => void
}

/** Shows the facts that were remembered and recalled for a reply. */
export default function Remembered({ memories: { written, recalled }, onUndone }: RememberedProps) {
  const undo = useSave({
    invalidates: ['memories'],
    run: async (id: string) => {
      const before = await parley.memories.undo(id)
      onUndone(id)
      return before
    },
    toast: (before) => (before ? `Remembered again: ${before.content}` : 'Memory deleted'),
  })
  return (
    <>
      {written.map(({ id, content }) => (
        <p key={id} className="remembered">
          <Brain aria-hidden size={15} />
          <span className="grow">
            <span className="muted">Remembered:</span> {content}
          </span>
          <Button small variant="quiet" icon={Undo2} busy={undo.isPending} onClick={() => undo.mutate(id)}>
            Undo
          </Button>
        </p>
      ))}
      {recalled.length > 0 && (
        <details className="reasoning">
          <summary>{recalled.length === 1 ? '1 memory recalled' : `${recalled.length} memories recalled`}</summary>
          <ul>
            {recalled.map(({ id, content }) => (
              <li key={id}>{content}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
