import { createHash } from 'node:crypto'
import type { Caller, Context } from '../../kernel/context.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { defaultVersion, readLabels } from '../../kernel/store/labels.ts'
import type { AgentRow } from '../agents/service.ts'
import { runningExperiment, type Variant, variantVersion } from '../agents/versions.ts'
import { type AgentSetup, type Binding, loadAgent } from '../runs/setup.ts'
import type { ConversationRow } from './store.ts'

type NewConversation = Pick<ConversationRow, 'id' | 'user_id' | 'label'> &
  Pick<Partial<ConversationRow>, 'evaluation_id' | 'parent_message_id' | 'experiment_id'>

/**
 * Chooses the version that answers in a new conversation, from the row of the agent alone: by the label that was asked for,
 * by the experiment that runs, or by `production`. Without these a conversation is not bound: the newest version answers
 * each message. Neither are conversations that no person started bound, because an automation can go on with one for years.
 */
export function bindVersion(agent: AgentRow, conversation: NewConversation): Partial<ConversationRow> {
  const { label } = conversation
  if (label !== null) {
    const labels = readLabels(agent)
    const { version } = labels.get(label) ?? unknownReference('label', 'label of this agent', label, [...labels.keys()])
    return bound(agent, version, label)
  }
  const { evaluation_id, parent_message_id, experiment_id } = conversation
  if (experiment_id === null || evaluation_id || parent_message_id) return {}
  const chosen = variantFor(agent, conversation.user_id ?? conversation.id)
  if (chosen) {
    const { version, label, experiment_id, variant } = chosen
    return { ...bound(agent, version, label), experiment_id, variant }
  }
  const { version: defaulted, label: defaultLabel } = defaultVersion(agent)
  return defaultLabel === null ? {} : bound(agent, defaulted, defaultLabel)
}

const bound = ({ id }: AgentRow, version: number, label: string | null) => ({
  version_agent_id: id,
  agent_version: version,
  ...(label !== null && { label }),
})

/** The variant that the running experiment has chosen for somebody. */
function variantFor(agent: AgentRow, person: string) {
  const running = runningExperiment(agent)
  if (!running) return null
  const variant = chooseVariant(running, person)
  const chosen = running.variants[variant]
  const version = chosen && variantVersion(agent, chosen)
  return version === undefined ? null : { version, label: chosen?.label ?? null, experiment_id: running.id, variant }
}

/**
 * Loads the agent in the version that answers a person outside of a conversation: that of their conversations, so that
 * they meet one version everywhere. Without a person there is nothing that a variant could stay with.
 */
export async function loadAgentFor(
  ctx: Context,
  who: Caller,
  agentId: string,
  userId: string | null,
): Promise<AgentSetup> {
  const setup = await loadAgent(ctx, who, agentId)
  const chosen = userId === null ? null : variantFor(setup.agent, userId)
  return chosen ? loadAgent(ctx, who, agentId, { binding: { agentId, ...chosen } }) : setup
}

/** A hash of experiment and person: the same person always gets the same variant, on every node, and nothing is stored. */
function chooseVariant({ id, variants }: { id: string; variants: Variant[] }, person: string): number {
  const hash = createHash('sha256').update(`${id} ${person}`).digest().readUIntBE(0, 6) / 2 ** 48
  let left = hash * variants.reduce((sum, { weight }) => sum + weight, 0)
  for (const [at, { weight }] of variants.entries()) {
    if (left < weight) return at
    left -= weight
  }
  return variants.length - 1
}

/** The version that a conversation is bound to, null if to none. */
export const bindingFrom = ({ version_agent_id, agent_version, label }: ConversationRow): Binding | null =>
  version_agent_id && agent_version ? { agentId: version_agent_id, version: agent_version, label } : null
