import type { Caller, Context } from '../../kernel/context.ts'
import { agents } from './service.ts'

/** What a first visitor finds: an agent on the workspace's default model, which at first is the local one. */
export async function createDemo(ctx: Context, workspace: string): Promise<void> {
  const who: Caller = { workspace, role: 'owner', token: 'first-start', userId: null, rateLimit: null }
  await agents.create(ctx, who, {
    name: 'Parley guide',
    description: 'A first agent to talk to. It uses the default model: the local one, until you connect another.',
    system_prompt:
      'You are the guide of Parley, a self-hosted platform for conversational agents. Answer questions about it briefly and plainly. Say so when you do not know.',
    model_id: null,
    temperature: 0.2,
    max_tokens: null,
    max_steps: 8,
    tools: [],
    topics: ['getting started', 'models', 'agents'],
    prompt_template_id: null,
    prompt_variables: {},
    fallback_model_ids: [],
    status: 'active',
    type: 'conversational',
    metadata: { demo: 'true' },
  })
}
