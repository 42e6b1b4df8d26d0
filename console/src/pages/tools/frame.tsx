import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { SideBySide } from '../../parts/side-by-side.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { type Kind, kinds } from './kinds.ts'

interface FrameProps {
  kind: Kind
  tool: { id: string; name: string; description: string | null }
  remove: (id: string) => Promise<void>
  editor: ReactNode
  /** Only for those who may use it. */
  tryOut: ReactNode
}

export const back = { to: '/tools', label: 'Tools' }

/** A tool: its settings, and beside them the place to try it. */
export function ToolFrame({ kind, tool, remove, editor, tryOut }: FrameProps) {
  const may = useMay()
  const navigate = useNavigate()
  const removal = useSave({
    touches: ['tools', `${kind}-tools`, 'status'],
    run: () => remove(tool.id),
    done: `${tool.name} was deleted`,
    onDone: () => void navigate({ to: '/tools', ignoreBlocker: true }),
  })
  const mayWrite = may('write-configuration')
  return (
    <PageFrame
      wide
      title={tool.name}
      lead={tool.description ?? kinds[kind].text}
      back={back}
      actions={
        mayWrite && (
          <Confirm
            trigger={<IconButton icon={Trash2} label="Delete tool" />}
            title={`Delete ${tool.name}?`}
            text="A tool that an agent uses cannot be deleted."
            action="Delete tool"
            onConfirm={() => removal.mutateAsync(undefined).catch(() => {})}
          />
        )
      }
    >
      {mayWrite ? (
        <SideBySide settings={editor} tryOut={tryOut} jump="Try it" />
      ) : (
        <div className="stack">{editor}</div>
      )}
    </PageFrame>
  )
}
