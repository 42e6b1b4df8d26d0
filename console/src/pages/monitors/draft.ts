import type { Schemas } from '@parley/client'

export type Monitor = Schemas['Monitor']

/** The editable fields of a monitor. */
export const toDraft = (
  monitor: Pick<Monitor, 'name' | 'agent_id' | 'scorers' | 'sample_rate' | 'review_rate' | 'daily_budget' | 'alert'>,
) => {
  const { name, agent_id, scorers, sample_rate, review_rate, daily_budget, alert } = monitor
  return { name, agent_id, scorers, sample_rate, review_rate, daily_budget, alert }
}
export type Draft = ReturnType<typeof toDraft>

/** A judge fits most agents; its rubric is a start to change. */
export const newMonitor: Omit<Draft, 'agent_id'> = {
  name: '',
  scorers: [
    { type: 'llm_judge', config: { rubric: 'Answers the question completely, politely and without guessing.' } },
  ],
  sample_rate: 0.1,
  review_rate: 0.1,
  daily_budget: 1,
  alert: null,
}
