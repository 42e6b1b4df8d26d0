import { second } from '../../kernel/time.ts'

/** How much later than it is noted somebody may have spoken in a conversation. */
export const activityStep = 5 * second

/** Noting it moves the conversation in an index, so what comes right after something else is not noted again. */
export const activity = ({ active_at }: { active_at: number }, now: number): { active_at?: number } =>
  now - active_at < activityStep && now >= active_at ? {} : { active_at: now }
