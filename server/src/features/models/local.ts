import { defaultWindow } from '../../kernel/agent/window.ts'

/** The built-in models. Every workspace has them; they need neither a key nor a network. */
export const localModels = [
  {
    name: 'Local extractive',
    provider: 'local',
    model_id: 'parley-extractive',
    type: 'chat',
    context_window: defaultWindow,
    is_default: true,
  },
  {
    name: 'Local MiniLM',
    provider: 'local',
    model_id: 'all-MiniLM-L6-v2',
    type: 'embedding',
    context_window: 256,
    is_default: true,
  },
  {
    name: 'Local static',
    provider: 'local',
    model_id: 'parley-static-256',
    type: 'embedding',
    context_window: 256,
    is_default: false,
  },
] as const
