import { createHash } from 'node:crypto'
import { unknownReference } from '../../kernel/errors.ts'
import { defaultVersion, readLabels } from '../../kernel/store/labels.ts'
import type { AgentRow } from '../agents/service.ts'
import { runningExperiment, type Variant, variantVersion } from '../agents/versions.ts'
import type { Binding } from '../runs/setup.ts'
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
  const running = runningExperiment(agent)
  const variant = running ? chooseVariant(running, conversation.user_id ?? conversation.id) : -1
  const chosen = running?.variants[variant]
  const version = chosen && variantVersion(agent, chosen)
  if (running && version !== undefined)
    return { ...bound(agent, version, chosen?.label ?? null), experiment_id: running.id, variant }
  const { version: defaulted, label: defaultLabel } = defaultVersion(agent)
  return defaultLabel === null ? {} : bound(agent, defaulted, defaultLabel)
}

const bound = ({ id }: AgentRow, version: number, label: string | null) => ({
  version_agent_id: id,
  agent_version: version,
  ...(label !== null && { label }),
})

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
