import { FileText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { parley } from '../api/parley.ts'
import { saveAs } from '../api/save-as.ts'
import { bytes } from '../ui/format.ts'
import { showError } from '../ui/toasts.tsx'
import type { Attachment } from './use-attachments.ts'

/** The files of a message that was sent. */
export const MessageAttachments = ({ attachments }: { attachments: Attachment[] }) =>
  attachments.length === 0 ? null : (
    <ul className="message-files" aria-label="Attachments">
      {attachments.map((file) => (
        <li key={file.file_id}>
          {file.media_type.startsWith('image/') ? <Picture file={file} /> : <Document file={file} />}
        </li>
      ))}
    </ul>
  )

/** Saves a file with the token of the session, which a plain link would not send. */
export const download = (id: string, name: string): Promise<void> =>
  parley.files
    .content(id)
    .then((response) => saveAs(response, name))
    .catch(showError)

const Document = ({ file: { file_id, name, size } }: { file: Attachment }) => (
  <button type="button" className="file-chip" onClick={() => void download(file_id, name)} title={`Download ${name}`}>
    <FileText aria-hidden size={20} />
    <span className="file-text">
      <span className="clip">{name}</span>
      <span className="small muted">{bytes(size)}</span>
    </span>
  </button>
)

function Picture({ file: { file_id, name } }: { file: Attachment }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    let made: string | null = null
    const load = async () => {
      const response = await parley.files.content(file_id, { signal: abort.signal })
      made = URL.createObjectURL(await response.blob())
      setUrl(made)
    }
    load().catch(() => setUrl(null)) // the name is shown instead
    return () => {
      abort.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [file_id])
  return url === null ? (
    <span className="picture">{name}</span>
  ) : (
    <a className="picture" href={url} target="_blank" rel="noreferrer" aria-label={`Open ${name}`}>
      <img src={url} alt={name} />
    </a>
  )
}
