import type { Steps } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import type { Shorten } from '../../runs/history.ts'
import { documentsIn, type History, readInStep } from '../../runs/history.ts'
import type { Attachment } from '../../runs/schema.ts'
import type { AgentSetup } from '../../runs/setup.ts'
import { type TurnFiles, turnFiles } from '../files/turn-files.ts'
import { withoutHidden } from '../hidden.ts'
import { condense, shortenWith } from '../memory/condense.ts'
import type { ConversationRow } from '../store.ts'

interface PastOptions {
  attachments?: Attachment[]
  hasCallerTools?: boolean
  asked?: ModelMessage[]
}

/** The history, the files of the conversation, and how the run shortens what does not fit. */
export async function readPast(
  ctx: Context,
  who: Caller,
  steps: Steps,
  conversation: ConversationRow,
  setup: AgentSetup,
  read: () => Promise<History>,
  { attachments = [], hasCallerTools = false, asked = [] }: PastOptions = {},
): Promise<{ past: ModelMessage[]; files: TurnFiles; shorten: Shorten | undefined }> {
  const hasTools = setup.tools.length > 0 || hasCallerTools
  const { messages, documents, condensed } = await readInStep(
    steps,
    async () => {
      const condensed = await condense(ctx, conversation, setup, await read(), asked)
      return { ...(await withoutHidden(ctx, who, condensed.history)), condensed }
    },
    hasTools,
  )
  const all = [...documents, ...documentsIn(attachments)]
  const files = await turnFiles(ctx, who, setup.choices[0], all)
  const shorten = shortenWith(ctx, { who, steps, conversation, setup, files }, condensed, messages, asked.length)
  return { past: messages, files, shorten }
}
