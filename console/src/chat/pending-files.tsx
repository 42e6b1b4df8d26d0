import { FileText, Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { useFilesOverPage } from '../parts/upload.tsx'
import { IconButton } from '../ui/button.tsx'
import { explain, toFailure } from '../ui/errors.ts'
import { bytes } from '../ui/format.ts'
import type { PendingFile } from './use-attachments.ts'

/** The files that go with the next message. */
export const PendingFiles = ({ files, onRemove }: { files: PendingFile[]; onRemove: (file: PendingFile) => void }) => (
  <ul className="pending-files" aria-label="Attachments">
    {files.map((file) => (
      <Pending key={file.key} file={file} onRemove={() => onRemove(file)} />
    ))}
  </ul>
)

function Pending({ file, onRemove }: { file: PendingFile; onRemove: () => void }) {
  const { name, size, preview, sent, attachment, error } = file
  const isUploading = attachment === null && error === null
  const isSent = sent >= size
  return (
    <li className={error === null ? 'file-chip' : 'file-chip failed'}>
      {preview === null || error !== null ? <FileText aria-hidden size={20} /> : <img src={preview} alt="" />}
      <span className="file-text">
        <span className="clip" title={name}>
          {name}
        </span>
        <span className="small muted">{isUploading ? (isSent ? 'Reading…' : 'Uploading…') : bytes(size)}</span>
        {isUploading && (
          <progress
            max={1}
            {...(!isSent && { value: size === 0 ? 0 : sent / size })}
            aria-label={`Uploading ${name}`}
          />
        )}
        {error !== null && (
          <span className="upload-error small" role="alert">
            {explain(toFailure(error)).text}
          </span>
        )}
      </span>
      <IconButton icon={X} label={isUploading ? `Cancel upload of ${name}` : `Remove ${name}`} onClick={onRemove} />
    </li>
  )
}

/** Takes files from the file picker, or dropped anywhere on the page. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useFilesOverPage((files) => {
    if (files.length > 0) onFiles(files)
  })
  return (
    <>
      <IconButton icon={Paperclip} label="Attach files" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      {isOver && (
        <div className="drop-here" aria-hidden>
          Drop files to attach them
        </div>
      )}
    </>
  )
}
