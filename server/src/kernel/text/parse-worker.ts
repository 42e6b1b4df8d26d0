import { readFile, stat } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { reason } from '../errors.ts'
import type { Chunk, ChunkOptions, ChunkSource } from './chunk.ts'
import { type Detected, detectFormat, type Named } from './detect.ts'
import { DocumentError, type FailureCode, type Limits, ScanError } from './document.ts'
import { type PackedBlocks, packBlocks, unpackBlocks } from './packed-blocks.ts'
import { parseBytes, type ReadDocument } from './parse.ts'

/** A path, or the file itself. */
export type Source = string | Uint8Array

interface ReadTask {
  source: Source
  named: Named
  limits: Limits
}

/** A document as it goes from thread to thread. */
export type Packed<T extends ChunkSource> = Omit<T, 'blocks'> & { blocks?: PackedBlocks }

export interface Tasks {
  parse: ReadTask
  detect: ReadTask
  chunk: { document: Packed<ChunkSource>; options: ChunkOptions }
}

export interface Results {
  parse: Packed<ReadDocument>
  detect: Detected
  chunk: Chunk[]
}

export type Kind = keyof Tasks

type Request = { [K in Kind]: { kind: K; task: Tasks[K] } }[Kind]

export interface Failure {
  code: FailureCode
  message: string
  /** Of a scan. */
  pages?: number
}

export type Answer<K extends Kind = Kind> = { result: Results[K] } | { failure: Failure }

parentPort?.on('message', async (request: Request) => {
  parentPort?.postMessage(await answer(request))
})

async function answer(request: Request): Promise<Answer> {
  try {
    return { result: await perform(request) }
  } catch (error) {
    const pages = error instanceof ScanError ? { pages: error.pages } : {}
    const code = error instanceof DocumentError ? error.code : 'broken'
    return { failure: { code, message: reason(error), ...pages } }
  }
}

async function perform({ kind, task }: Request): Promise<Results[Kind]> {
  if (kind === 'chunk') {
    const { chunkDocument } = await import('./chunk.ts')
    const { blocks, ...document } = task.document
    return chunkDocument({ ...document, ...(blocks && { blocks: unpackBlocks(blocks) }) }, task.options)
  }
  const { source, named, limits } = task
  const bytes = typeof source === 'string' ? await readBounded(source, limits) : source
  if (kind === 'detect') return detectFormat(bytes, named, limits)
  const { blocks, ...document } = await parseBytes(bytes, named, limits)
  return { ...document, ...(blocks && { blocks: packBlocks(blocks) }) }
}

async function readBounded(path: string, { fileBytes }: Limits): Promise<Uint8Array> {
  const { size } = await stat(path).catch(() => {
    throw new DocumentError('broken', 'The stored file is missing.')
  })
  if (size > fileBytes) {
    throw new DocumentError('too_large', `The file is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB.`)
  }
  return new Uint8Array(await readFile(path))
}
