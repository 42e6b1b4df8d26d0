/** The part of XMLHttpRequest that is used. In browsers only XHR reports upload progress. */
interface Xhr {
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Blob): void
  abort(): void
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
}
type XhrConstructor = new () => Xhr

export const xhr = (globalThis as { XMLHttpRequest?: XhrConstructor }).XMLHttpRequest

interface XhrResponse {
  status: number
  text: string
  requestId: string | null
  retryAfter: number | null
}

export function sendByXhr(
  Request: XhrConstructor,
  url: string,
  headers: Record<string, string>,
  body: Blob,
  report: (sent: number) => void,
  signal: AbortSignal,
): Promise<XhrResponse> {
  return new Promise((resolve, reject) => {
    const request = new Request()
    const stop = () => {
      request.abort()
      reject(signal.reason)
    }
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => report(loaded)
    request.onerror = () => reject(new Error('The upload failed.'))
    request.onload = () => {
      signal.removeEventListener('abort', stop)
      const retryAfter = request.getResponseHeader('retry-after')
      resolve({
        status: request.status,
        text: request.responseText,
        requestId: request.getResponseHeader('x-request-id'),
        retryAfter: retryAfter === null ? null : Number(retryAfter),
      })
    }
    signal.addEventListener('abort', stop, { once: true })
    request.send(body)
  })
}
