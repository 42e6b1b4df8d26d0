import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { AskDocuments } from '../../parts/ask-documents.tsx'
import { ReadingProgress, useReading } from '../../parts/reading-progress.tsx'
import { DropZone, UploadList, useUpload } from '../../parts/upload.tsx'
import { Card } from '../../ui/page.tsx'
import { showError } from '../../ui/toasts.tsx'

/** From dropped files to an agent that answers from them. */
export function OwnDocuments() {
  const { files, send, isBusy } = useUpload()
  const [source, setSource] = useState<{ id: string; name: string }>()
  const reading = useReading(source?.id)
  const onFiles = async (chosen: File[]) => {
    try {
      const made = source ?? (await parley.knowledgeSources.create({ name: nameFor(chosen), type: 'file' }))
      setSource({ id: made.id, name: made.name })
      await send(made.id, chosen)
    } catch (error) {
      showError(error, 'Some files were not uploaded')
    }
    await reading.refetch()
  }
  return (
    <Card title="Ask your own documents">
      <DropZone
        label="Drop files here"
        hint="PDF, Word, PowerPoint, Excel, HTML, Markdown and more, up to 50 MB each."
        isBusy={isBusy}
        onFiles={(chosen) => void onFiles(chosen)}
      />
      {files.length > 0 && <UploadList files={files} />}
      {source && reading.data && <ReadingProgress reading={reading.data} />}
      {source && (
        <div>
          <AskDocuments primary source={source} disabled={isBusy || (reading.data?.indexed ?? 0) === 0} />
        </div>
      )}
    </Card>
  )
}

const nameFor = (files: File[]): string => {
  const first = files[0]?.name.replace(/\.[^.]+$/, '').slice(0, 80) || 'Documents'
  return files.length === 1 ? first : `${first} and ${files.length - 1} more`
}
