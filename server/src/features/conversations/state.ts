import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { second } from '../../kernel/time.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { Run } from '../runs/run.ts'
import { FileTexts } from './files/texts.ts'
import { cancelChannel, RemoteTurns } from './streaming/remote-turns.ts'
import { HistoryCache } from './turn/history-cache.ts'
import { ProgressWriter } from './turn/progress.ts'
import type { WokenReply } from './waiting/waiting-replies.ts'

const storeRowsEvery = second

/** In-memory state of this process: caches, replies that are being stored, and runs of other processes. */
export class ConversationState {
  readonly histories: HistoryCache
  readonly texts: FileTexts
  readonly progress: ProgressWriter
  /** The runs of other processes. */
  readonly remote: RemoteTurns
  /** Resumes replies that have waited for other agents. */
  resumeWoken: (woken: readonly WokenReply[]) => Promise<void> = async () => {}
  /** Further statements of the commit that stores feedback. */
  onFeedback: (row: MessageRow, rating: 'up' | 'down') => Statement[] = () => []
  /** Stops watching other nodes, if they are watched. */
  stopWatching = (): void => {}
  readonly #ctx: Context
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: () => void

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.histories = new HistoryCache(ctx)
    this.texts = new FileTexts(ctx)
    this.progress = new ProgressWriter(ctx)
    this.remote = new RemoteTurns(ctx)
    this.#timer = setInterval(() => void this.#storeProgress(), storeRowsEvery)
    this.#timer.unref()
    this.#unsubscribe = ctx.signals.on(cancelChannel(ctx.node), () => {
      void this.#checkCancellations(this.progress.running())
    })
  }

  /** Lets replies finish, for at most `timeout` milliseconds. */
  async close(timeout: number): Promise<void> {
    await this.#ctx.state.runs.close(timeout)
    clearInterval(this.#timer)
    this.stopWatching()
    this.#unsubscribe()
    await this.progress.close()
    await this.texts.close()
  }

  async #storeProgress(): Promise<void> {
    const stored = await this.progress.storeRows()
    if (this.#ctx.engine === 'postgres') await this.#checkCancellations(stored)
  }

  /** A reply may be cancelled through another node, ended by one that took this one for dead, or deleted. */
  async #checkCancellations(runs: Run[]): Promise<void> {
    const ids = runs.map(({ row }) => row.id)
    if (ids.length === 0) return
    const rows = await this.#ctx.db
      .selectFrom('message')
      .select(['id', 'status', 'cancel_requested'])
      .where('id', 'in', ids)
      .execute()
      .catch(() => null)
    if (rows === null) return
    const wanted = new Set(rows.filter((row) => row.status === 'running' && !row.cancel_requested).map(({ id }) => id))
    for (const id of ids) if (!wanted.has(id)) this.#ctx.state.runs.cancel(id)
  }
}
