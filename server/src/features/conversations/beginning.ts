import type { Commits, Statement } from '../../kernel/store/commits.ts'
import type { ConversationRow } from './service.ts'

/** How long a beginning waits for the end, in milliseconds: nobody sees a stream begin before it is stored. */
const patience = { streamed: 10, whole: 50 }

/** What is written of a turn before its reply, and what becomes of its conversation by that. */
export interface Opening {
  changes: Partial<ConversationRow>
  statements: Statement[]
}

/**
 * The beginning of a turn on its way to the disk: by itself, or with the end where that comes so soon that one commit
 * does for both. Until it is there, nothing of the turn is shown and no tool is called.
 */
export class Beginning {
  readonly stored: Promise<void>
  private readonly commits: Commits
  private readonly alone: () => Statement[]
  /** For whoever was to send it and cannot. */
  readonly fail: (error: unknown) => void
  private readonly resolve: (outcome: Promise<void>) => void
  private readonly timer: NodeJS.Timeout
  isWaiting = true
  /** What the end begins with, where that was found out while the model was waited for. */
  opening: Opening | null = null

  constructor(commits: Commits, kind: keyof typeof patience, alone: () => Statement[]) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.stored = promise
    this.resolve = resolve
    this.fail = reject
    this.commits = commits
    this.alone = alone
    this.timer = setTimeout(() => this.send(), patience[kind])
  }

  /** By itself, unless it is on its way already. */
  send(): Promise<void> {
    if (this.take()) this.sendAs(this.alone())
    return this.stored
  }

  /** Whether it still waits; from now on whoever asked has to send it. */
  take(): boolean {
    const { isWaiting } = this
    this.isWaiting = false
    clearTimeout(this.timer)
    return isWaiting
  }

  sendAs(unit: Statement[], isAlone = false): Promise<void> {
    this.resolve(this.commits.commit(unit, isAlone))
    return this.stored
  }
}
