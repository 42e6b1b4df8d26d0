import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay, useMayPreview } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { SeenAsButton } from '../../parts/seen-as.tsx'
import { SideBySide } from '../../parts/side-by-side.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { type ToolType, toolTypes } from './tool-types.ts'

interface FrameProps {
  kind: ToolType
  tool: { id: string; name: string; description: string | null }
  remove: (id: string) => Promise<void>
  editor: ReactNode
  /** Shown only to editors. */
  tryOut: ReactNode
}

export const back = { to: '/tools', label: 'Tools' }

/** A tool page: settings beside a panel to try the tool. */
export function ToolFrame({ kind, tool, remove, editor, tryOut }: FrameProps) {
  const may = useMay()
  const navigate = useNavigate()
  const removal = useSave({
    invalidates: ['tools', `${kind}-tools`, 'status'],
    run: () => remove(tool.id),
    toast: `${tool.name} deleted`,
    onDone: () => void navigate({ to: '/tools', ignoreBlocker: true }),
  })
  const mayWrite = may('write-configuration')
  // A preview searches, and does not call APIs.
  const mayTry = useMayPreview() && (mayWrite || kind !== 'api')
  return (
    <PageFrame
      wide
      title={tool.name}
      lead={tool.description ?? toolTypes[kind].text}
      back={back}
      actions={
        <>
          {kind !== 'api' && <SeenAsButton />}
          {mayWrite && (
            <Confirm
              trigger={<IconButton icon={Trash2} label="Delete tool" />}
              title={`Delete ${tool.name}?`}
              text="You cannot delete a tool that an agent uses."
              action="Delete tool"
              onConfirm={() => removal.mutateAsync(undefined).catch(() => {})}
            />
          )}
        </>
      }
    >
      {mayTry ? <SideBySide settings={editor} tryOut={tryOut} jump="Try it" /> : <div className="stack">{editor}</div>}
    </PageFrame>
  )
}
