import { DropZone, UploadList, useUpload } from '../../parts/upload.tsx'
import { Button } from '../../ui/button.tsx'
import { bytes } from '../../ui/format.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import type { Source } from './source-types.ts'

const allTypes =
  'PDF, Word, PowerPoint, Excel, OpenDocument, RTF, CSV, HTML, Markdown, text, JSON, EPUB, email, notebooks, images and source code'
const list = new Intl.ListFormat('en')

/** The accepted file types: all, or those in the settings (`pdf`, `.md`). */
const describeTypes = ({ configuration }: Source): string => {
  const types = configuration?.file_types ?? []
  return types.length === 0
    ? allTypes
    : `Only ${list.format(types.map((type) => type.replace(/^\./, '').toUpperCase()))}`
}

/** Uploads files to a source by drag and drop or file picker. */
export function Upload({ source }: { source: Source }) {
  const { files: all, send, clear, isBusy } = useUpload()
  const files = all.filter(({ state }) => state !== 'done') // these are in the list of documents
  const onFiles = (chosen: File[]) =>
    send(source.id, chosen).then(
      () => showToast(chosen.length === 1 ? `${chosen[0]?.name} uploaded` : `${chosen.length} files uploaded`),
      (error: unknown) => showError(error, 'Some files were not uploaded'),
    )
  return (
    <div className="stack">
      <DropZone
        label="Drop files here"
        hint={`${describeTypes(source)}, up to ${bytes(source.configuration?.max_file_size ?? 50 * 1024 * 1024)} each.`}
        isBusy={isBusy}
        onFiles={(chosen) => void onFiles(chosen)}
      />
      {files.length > 0 && (
        <div className="card">
          <UploadList files={files} />
          {!isBusy && (
            <div>
              <Button small onClick={clear}>
                Clear
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}
