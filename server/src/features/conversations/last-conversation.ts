import type { Store } from '../../kernel/store/database.ts'
import type { ConversationRow } from './service.ts'

/**
 * The conversation that was spoken in last. As long as nothing at all has been written but the turns in it, it need not be
 * read for the next one.
 */
export class LastConversation {
  private row: ConversationRow | null = null
  /** How much had been written when it was so. */
  private asOf: number | null = null
  private readonly writes: Store['writes']

  constructor({ writes }: Pick<Store, 'writes'>) {
    this.writes = writes
  }

  async get(workspace: string, id: string, read: () => Promise<ConversationRow>): Promise<ConversationRow> {
    const now = this.writes()
    const { row } = this
    if (row?.id === id && row.workspace_id === workspace && now !== null && now === this.asOf) return row
    const found = await read()
    this.row = found
    this.asOf = now
    return found
  }

  /** A unit of so many statements has changed it. */
  change(row: ConversationRow, changes: Partial<ConversationRow>, statements: number): void {
    const now = this.writes()
    const isOnlyChange = now !== null && this.asOf !== null && now === this.asOf + statements
    this.row = row === this.row && isOnlyChange ? { ...row, ...changes } : null
    this.asOf = now
  }
}
