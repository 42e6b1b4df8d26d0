import type { UploadProgress } from '@parley/client'
import { CircleCheck, CircleX, LoaderCircle, UploadCloud } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { parley } from '../api/parley.ts'
import { queries } from '../api/queries.ts'
import { explain, toFailure } from '../ui/errors.ts'
import { bytes, percent } from '../ui/format.ts'

/** Uploads files to a source, with the progress of each. */
export function useUpload() {
  const [files, setFiles] = useState<UploadProgress[]>([])
  const send = async (source: string, chosen: File[]) => {
    setFiles(chosen.map(({ name, size }, index) => ({ index, name, size, sent: 0, state: 'sending' })))
    const onProgress = (progress: UploadProgress) => {
      setFiles((now) => now.map((each) => (each.index === progress.index ? progress : each)))
      if (progress.state === 'done')
        void queries.invalidateQueries({ queryKey: ['knowledge-sources', source, 'documents'] })
    }
    try {
      await parley.knowledgeSources.upload(source, chosen, { onProgress })
    } finally {
      await queries.invalidateQueries({ queryKey: ['knowledge-sources'] })
    }
  }
  return { files, send, clear: () => setFiles([]), isBusy: files.some(({ state }) => state === 'sending') }
}

interface DropZoneProps {
  label: string
  hint: ReactNode
  isBusy: boolean
  onFiles: (files: File[]) => void
}

/** Takes files that are dropped anywhere on the page, or chosen in the file picker. */
export function DropZone({ label, hint, isBusy, onFiles }: DropZoneProps) {
  const field = useId()
  const isOver = useFilesOverPage((files) => {
    if (!isBusy && files.length > 0) onFiles(files)
  })
  return (
    <div className={`drop${isOver ? ' over' : ''}`}>
      <UploadCloud aria-hidden size={24} />
      <label htmlFor={field}>
        <strong>{label}</strong> or browse
      </label>
      <input
        id={field}
        type="file"
        multiple
        disabled={isBusy}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <span className="muted small">{hint}</span>
    </div>
  )
}

/** Whether files are being dragged over the page. Without a handler, the browser would open a dropped file. */
export function useFilesOverPage(onDrop: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useRef(onDrop)
  drop.current = onDrop
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false)
    }
    const dropped = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(false)
      drop.current([...event.dataTransfer.files])
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', dropped)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', dropped)
    }
  }, [])
  return isOver
}

export const UploadList = ({ files }: { files: UploadProgress[] }) => (
  <ul className="uploads" aria-label="Uploads">
    {files.map((file) => (
      <UploadRow key={file.index} file={file} />
    ))}
  </ul>
)

const icons = { sending: LoaderCircle, done: CircleCheck, failed: CircleX }

function UploadRow({ file: { name, size, sent, state, error } }: { file: UploadProgress }) {
  const Icon = icons[state]
  const share = size === 0 ? 1 : sent / size
  return (
    <li className={state}>
      <Icon aria-hidden size={16} className={state === 'sending' ? 'spin' : ''} />
      <span className="grow clip" title={name}>
        {name}
      </span>
      <span className="muted small">{bytes(size)}</span>
      {state === 'sending' && <progress className="share" max={1} value={share} aria-label={`Uploading ${name}`} />}
      <span className="small">{state === 'sending' ? percent(share) : state}</span>
      {error && <span className="upload-error small">{explain(toFailure(error)).text}</span>}
    </li>
  )
}
