import { type Http, type RequestOptions, randomKey } from './http.ts'
import * as methods from './methods.ts'
import { segment } from './segment.ts'
import type { Schemas } from './types.ts'
import { sendForm, type UploadFile, type UploadOptions } from './upload.ts'

export type FileUploadOptions = RequestOptions & Pick<UploadOptions, 'onProgress'>

/** Files that messages bring along. */
export const files = (http: Http) => ({
  /** Uploads a file, for `attachments` of a message. `signal` cancels it. */
  upload(file: File | UploadFile, options: FileUploadOptions = {}): Promise<Schemas['UploadedFile']> {
    const entry = { index: 0, name: file.name, content: file instanceof Blob ? file : file.content }
    const idempotencyKey = options.idempotencyKey ?? randomKey()
    return sendForm<Schemas['UploadedFile']>(http, '/files', [entry], { ...options, idempotencyKey })
  },
  /** The file itself. Returns the response with an unread body. */
  content: (id: string, options?: RequestOptions): Promise<Response> =>
    http.send('GET', `/files/${segment(id)}/content`, options),
  ...methods.files(http),
})
