import { isParleyError, type Message } from '@parley/client'
import { useEffect, useRef, useState } from 'react'
import { parley } from '../api/parley.ts'

export type Attachment = Message['attachments'][number]

/** A file that goes with the next message. */
export interface PendingFile {
  key: number
  name: string
  size: number
  /** The URL of an image, to be shown. */
  preview: string | null
  sent: number
  /** Set once it is uploaded. */
  attachment: Attachment | null
  error: unknown
}

const maxFiles = 10
const shownTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** The files of the next message. They are uploaded as soon as they are chosen. */
export function useAttachments() {
  const [files, setFiles] = useState<PendingFile[]>([])
  const uploads = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  const current = useRef(files)
  current.current = files
  useEffect(
    () => () => {
      for (const upload of uploads.current.values()) upload.abort()
      for (const { preview } of current.current) if (preview !== null) URL.revokeObjectURL(preview)
    },
    [],
  )

  const change = (key: number, next: Partial<PendingFile>) =>
    setFiles((now) => now.map((file) => (file.key === key ? { ...file, ...next } : file)))

  const upload = async (key: number, file: File): Promise<void> => {
    const abort = new AbortController()
    uploads.current.set(key, abort)
    try {
      const onProgress = ({ sent }: { sent: number }) => change(key, { sent })
      const { id, name, media_type, size } = await parley.files.upload(file, { signal: abort.signal, onProgress })
      change(key, { attachment: { file_id: id, name, media_type, size }, sent: size })
    } catch (error) {
      if (!abort.signal.aborted) change(key, { error })
    } finally {
      uploads.current.delete(key)
    }
  }

  return {
    files,
    /** Returns whether all of them were taken. */
    add(chosen: File[]): boolean {
      const taken = chosen.slice(0, Math.max(0, maxFiles - current.current.length))
      const added = taken.map((file): PendingFile => {
        const preview = shownTypes.includes(file.type) ? URL.createObjectURL(file) : null
        const { name, size } = file
        return { key: ++lastKey.current, name, size, preview, sent: 0, attachment: null, error: null }
      })
      setFiles((now) => [...now, ...added])
      for (const [at, { key }] of added.entries()) void upload(key, taken[at] as File)
      return taken.length === chosen.length
    },
    /** Cancels the upload of a file, or deletes it. */
    remove(file: PendingFile): void {
      uploads.current.get(file.key)?.abort()
      if (file.preview !== null) URL.revokeObjectURL(file.preview)
      setFiles((now) => now.filter(({ key }) => key !== file.key))
      if (file.attachment)
        parley.files.delete(file.attachment.file_id).catch((error) => {
          if (!isParleyError(error)) throw error // the server deletes unused files after a day
        })
    },
    /** After they were sent. */
    clear(sent: readonly PendingFile[]): void {
      for (const { preview } of sent) if (preview !== null) URL.revokeObjectURL(preview)
      setFiles((now) => now.filter(({ key }) => !sent.some((file) => file.key === key)))
    },
  }
}
