import type { UploadProgress } from '@parley/client'
import { CircleCheck, CircleX, LoaderCircle, UploadCloud } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { bytes, percent } from '../../ui/format.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import type { Source } from './source-types.ts'

const allTypes = 'PDF, Word, PowerPoint, Excel, CSV, HTML, Markdown, text, JSON, EPUB, email and source code'
const list = new Intl.ListFormat('en')

/** The accepted file types: all, or those in the settings (`pdf`, `.md`). */
const typesOf = ({ configuration }: Source): string => {
  const types = configuration?.file_types ?? []
  return types.length === 0
    ? allTypes
    : `Only ${list.format(types.map((type) => type.replace(/^\./, '').toUpperCase()))}`
}

/** Uploads files by drag and drop or file picker, with progress. */
export function Upload({ source }: { source: Source }) {
  const field = useId()
  const [isOver, setIsOver] = useState(false)
  const [sent, setSent] = useState<UploadProgress[]>([])
  const isBusy = sent.some(({ state }) => state === 'sending')

  const send = async (files: File[]) => {
    if (files.length === 0) return
    setSent(files.map(({ name, size }, index) => ({ index, name, size, sent: 0, state: 'sending' })))
    const onProgress = (progress: UploadProgress) =>
      setSent((now) => now.map((each) => (each.index === progress.index ? progress : each)))
    try {
      await parley.knowledgeSources.upload(source.id, files, { onProgress })
      showToast(files.length === 1 ? `${files[0]?.name} uploaded` : `${files.length} files uploaded`)
    } catch (error) {
      showError(error, 'Some files were not uploaded')
    }
    await queries.invalidateQueries({ queryKey: ['knowledge-sources'] })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (!isBusy) void send([...event.dataTransfer.files])
  }
  return (
    <div className="stack">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input inside does the same by keyboard */}
      <div
        className={`drop${isOver ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <UploadCloud aria-hidden size={24} />
        <label htmlFor={field}>
          <strong>Drop files here</strong> or browse
        </label>
        <input
          id={field}
          type="file"
          multiple
          disabled={isBusy}
          onChange={({ target }) => {
            void send([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <span className="muted small">
          {typesOf(source)}, up to {bytes(source.configuration?.max_file_size ?? 50 * 1024 * 1024)} each.
        </span>
      </div>
      {sent.length > 0 && (
        <div className="card">
          <ul className="uploads" aria-label="Uploads">
            {sent.map((file) => (
              <UploadRow key={file.index} file={file} />
            ))}
          </ul>
          {!isBusy && (
            <div>
              <Button small onClick={() => setSent([])}>
                Clear
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

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
      {error && <span className="upload-error small">{error.message}</span>}
    </li>
  )
}
