import type { Feature } from '../../kernel/feature.ts'
import { resumeConnected } from './approvals/needs.ts'
import { approverLists, decisionsOfPerson, requestsOfPerson, waitingForPerson } from './approvals/personal-data.ts'
import { resumeWoken } from './approvals/resume.ts'
import { agentToolbox } from './children/agent-tool.ts'
import { defineJobs, removeOldConversations } from './jobs.ts'
import { lockWritten, readWritten } from './memory/written.ts'
import {
  askedByAgentMigration,
  authorMigration,
  boundVersionMigration,
  childMigration,
  conversationMigration,
  editMigration,
  latePagesMigration,
  memoryMigration,
  memorySourceMigration,
  scoreMigration,
} from './migrations.ts'
import { conversationsOfPerson, filesOfPerson, messagesOfPerson } from './personal-data.ts'
import { routes } from './routes.ts'
import { queueOldMessages } from './search/index-messages.ts'
import { conversations as service } from './service.ts'
import { ConversationState } from './state.ts'
import { recoverTurns, silentWhenDead, watchTurns } from './turn/recovery.ts'

export * from './approvals/rights.ts'
export * from './binding.ts'
export * from './children/replies.ts'
export * from './files/attachments.ts'
export * from './files/service.ts'
export * from './files/store.ts'
export * from './files/turn-files.ts'
export * from './hidden.ts'
export * from './past.ts'
export * from './removal.ts'
export * from './scored-replies.ts'
export * from './search/filters.ts'
export * from './send.ts'
export * from './service.ts'
export * from './statistics/experiments.ts'
export * from './statistics/statistics.ts'
export * from './statistics/topics.ts'
export * from './streaming/send-events.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    conversations: ConversationState
  }
}

export const conversations: Feature = {
  name: 'conversations',
  migrations: [
    conversationMigration,
    authorMigration,
    editMigration,
    childMigration,
    memoryMigration,
    boundVersionMigration,
    scoreMigration,
    askedByAgentMigration,
    memorySourceMigration,
    latePagesMigration,
  ],
  resources: [service],
  personalData: [
    conversationsOfPerson,
    filesOfPerson,
    messagesOfPerson,
    decisionsOfPerson,
    requestsOfPerson,
    approverLists,
    waitingForPerson,
  ],
  retention: [{ what: 'conversations', remove: removeOldConversations }],
  state: (ctx) => new ConversationState(ctx),
  toolboxes: [agentToolbox],
  jobs: defineJobs,
  async prepare(ctx) {
    ctx.state.memories.writtenBy = (workspace, id) => readWritten(ctx.db, workspace, id)
    ctx.state.memories.lockWritten = lockWritten
    ctx.state.conversations.resumeWoken = (woken) => resumeWoken(ctx, woken)
    ctx.state['api-tools'].accounts.onConnected = (account) => resumeConnected(ctx, account)
    await queueOldMessages(ctx)
    // No other process uses an embedded database, so whatever was running is lost.
    await recoverTurns(ctx, ctx.engine === 'sqlite' ? 0 : silentWhenDead)
    if (ctx.engine === 'postgres') ctx.state.conversations.stopWatching = watchTurns(ctx)
  },
  close: (ctx, timeout) => ctx.state.conversations.close(timeout),
  routes,
}
