import type { Action } from './draft.ts'

export const actionLabels: Record<Action['type'], string> = {
  message: 'Sends a message',
  sync: 'Syncs a source',
  evaluation: 'Runs an evaluation',
}
