import { RemoteError, ThreadError } from '@parley/threads'
import { DocumentError, type FailureCode, failureCodes, type Limits, ScanError } from './document.ts'

/** Turns the failure of a call into a message for people. */
export function toDocumentError(error: unknown, seconds: number, { memoryMegabytes }: Limits): unknown {
  if (error instanceof RemoteError) {
    const { code, pages } = error.details
    if (typeof pages === 'number') return new ScanError(pages)
    return new DocumentError(isFailureCode(code) ? code : 'broken', error.message)
  }
  if (!(error instanceof ThreadError)) return error
  switch (error.code) {
    case 'timeout':
      return new DocumentError('timeout', `Reading the document took longer than ${seconds} seconds and was stopped.`)
    case 'memory':
      return new DocumentError(
        'memory',
        `Reading the document took more than ${memoryMegabytes} MB of memory and was stopped.`,
      )
    case 'crashed':
      return new DocumentError('crashed', `Reading the document failed unexpectedly (${error.message}).`)
    default:
      return error
  }
}

const isFailureCode = (code: unknown): code is FailureCode => failureCodes.some((known) => known === code)
