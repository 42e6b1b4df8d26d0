import type { OnProgress } from '@parley/documents'
import { onTestFinished } from 'vitest'
import type { Service } from './harness.ts'

type Pause = (onProgress: OnProgress) => Promise<void>

/** Pauses the parser of a service: after a file was read, and before its passages are prepared. */
export function pausedParser({ ctx: { parser } }: Pick<Service, 'ctx'>, pauses: { read: Pause; prepare: Pause }): void {
  const { parseDocument, prepare } = parser
  const ignore: OnProgress = () => {}
  parser.parseDocument = async (source, options) => {
    const document = await parseDocument(source, options)
    await pauses.read(options.onProgress ?? ignore)
    return document
  }
  parser.prepare = async (passages, options) => {
    await pauses.prepare(options?.onProgress ?? ignore)
    return prepare(passages, options)
  }
  onTestFinished(() => {
    Object.assign(parser, { parseDocument, prepare })
  })
}
