import { randomUUID } from 'node:crypto'
import { createThreadPool, type Thread, ThreadError } from '@parley/threads'
import type { Limits, Settings, Source } from '../document.ts'
import { toDocumentError } from '../thread-errors.ts'
import { chosenLanguages } from './languages.ts'
import type { OcrMethods } from './ocr-worker.ts'
import { findOcrPackages, type OcrPackages } from './packages.ts'
import { findOcrPrograms, type OcrPrograms, withPrograms } from './programs.ts'
import type { Recognizer } from './scans.ts'

const maxIdleMemoryMb = 512

export type InstalledOcr = OcrPrograms | OcrPackages

/** Finds installed OCR. Prefers programs, which are faster and render whole pages, to npm packages. */
export const findOcr = async (): Promise<InstalledOcr | undefined> => (await findOcrPrograms()) ?? findOcrPackages()

interface Task {
  signal?: AbortSignal
  key?: string
  settings?: Settings
}

/** Recognizes text in a separate process, one document at a time, so that documents without scans do not wait. */
export interface Ocr {
  /** Runs work for a document. Undefined if OCR is not installed. */
  use<T>(
    source: Source,
    limits: Limits,
    task: Task,
    work: (recognizer: Recognizer) => Promise<T>,
  ): Promise<T | undefined>
  stop(): Promise<void>
}

interface OcrOptions {
  find: () => Promise<InstalledOcr | undefined>
  memoryMb: number
  idleMs: number
}

export function createOcr({ find, memoryMb, idleMs }: OcrOptions): Ocr {
  const pool = createThreadPool<OcrMethods>(new URL('./ocr-worker.ts', import.meta.url), {
    name: 'OCR',
    size: 1,
    idleMs,
    maxIdleMemoryMb,
    process: { memoryMb },
    isolated: true,
  })
  return {
    async use(source, limits, { signal, key, settings }, work) {
      const installed = await find()
      if (!installed) return undefined
      const available = 'core' in installed ? Object.keys(installed.data) : installed.languages
      const languages = chosenLanguages(available, settings?.ocrLanguages)
      return pool.use(
        (thread) =>
          'core' in installed
            ? work(threadRecognizer(thread, source, installed, languages, limits, signal))
            : withPrograms(source, installed, languages.join('+'), signal, work),
        { ...(signal && { signal }), ...(key !== undefined && { key }) },
      )
    },
    stop: () => pool.stop(),
  }
}

function threadRecognizer(
  thread: Pick<Thread<OcrMethods>, 'call'>,
  source: Source,
  { core, data }: OcrPackages,
  languages: string[],
  limits: Limits,
  signal: AbortSignal | undefined,
): Recognizer {
  const document = randomUUID()
  const packages = { core, data: Object.fromEntries(languages.map((language) => [language, data[language] ?? ''])) }
  const unlessTooSlow = async (text: Promise<string>, seconds: number): Promise<string | undefined> => {
    try {
      return await text
    } catch (error) {
      if (error instanceof ThreadError && error.code === 'timeout') return undefined
      throw toDocumentError(error, seconds, limits)
    }
  }
  const options = (seconds: number) => ({ cpuSeconds: Math.ceil(seconds), ...(signal && { signal }) })
  return {
    languages: languages.join('+'),
    image: (seconds) => unlessTooSlow(thread.call('image', [source, packages, limits], options(seconds)), seconds),
    page: (number, seconds) =>
      unlessTooSlow(thread.call('page', [document, source, number, packages, limits], options(seconds)), seconds),
  }
}
