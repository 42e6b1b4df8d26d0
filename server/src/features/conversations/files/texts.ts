import { unpackDocument } from '@parley/documents'
import { createThread, type Thread } from '@parley/threads'
import { LRUCache } from 'lru-cache'
import { turnKey } from '../../../kernel/caller.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { FileMissing } from '../../../kernel/files/files.ts'
import { minute } from '../../../kernel/time.ts'
import type { FoundPassage, PassageMethods } from './passage-worker.ts'
import { textPath } from './store.ts'

/** Limits the memory of all cached texts together. */
const maxCachedCharacters = 4 * 1024 * 1024

/** The texts of attached documents: whole, or searched in a thread. */
export class FileTexts {
  readonly #ctx: Context
  readonly #thread: Thread<PassageMethods>
  readonly #cache = new LRUCache<string, string>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (text) => text.length + 1,
  })

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#thread = createThread<PassageMethods>(new URL('./passage-worker.ts', import.meta.url), {
      name: 'passage',
      idleMs: minute,
      exclusive: true,
    })
  }

  /** Null if the stored text is lost. */
  async read(workspace: string, id: string): Promise<string | null> {
    const cached = this.#cache.get(id)
    if (cached !== undefined) return cached
    const packed = await this.#packed(workspace, id)
    if (packed === null) return null
    const { text } = await unpackDocument(packed)
    this.#cache.set(id, text)
    return text
  }

  async search(
    who: Caller,
    documents: string[],
    query: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<FoundPassage[]> {
    const options = { key: turnKey(who), signal, timeoutMs: minute }
    const missing = await this.#thread.call('missing', [documents], options)
    const packed = new Map<string, Uint8Array>()
    for (const id of missing) {
      const bytes = await this.#packed(who.workspace, id)
      if (bytes) packed.set(id, bytes)
    }
    return this.#thread.call('search', [query, documents, packed, topK], options)
  }

  async #packed(workspace: string, id: string): Promise<Uint8Array | null> {
    try {
      const parts: Uint8Array[] = []
      for await (const part of await this.#ctx.files.read(textPath(workspace, id))) parts.push(part)
      return Buffer.concat(parts)
    } catch (error) {
      if (error instanceof FileMissing) return null
      throw error
    }
  }

  close(): Promise<void> {
    return this.#thread.stop()
  }
}
