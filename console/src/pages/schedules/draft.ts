import type { Schemas } from '@parley/client'

export type Schedule = Schemas['Schedule']
export type Action = Schedule['action']

/** When a schedule is due. */
export type Times = Pick<Schedule, 'cron' | 'at' | 'timezone'>

/** The editable fields of a schedule. */
export const toDraft = ({
  name,
  cron,
  at,
  timezone,
  action,
  overlap,
  catch_up,
  approved_tools,
}: Pick<Schedule, 'name' | 'cron' | 'at' | 'timezone' | 'action' | 'overlap' | 'catch_up' | 'approved_tools'>) => ({
  name,
  cron,
  at,
  timezone,
  action,
  overlap,
  catch_up,
  approved_tools,
})
export type Draft = ReturnType<typeof toDraft>

export const daily = '0 9 * * *'

/** Whether the fields that its type requires are filled. */
export const isComplete = ({ type, agent_id, message, knowledge_source_id, evaluation_id }: Action): boolean =>
  type === 'message'
    ? Boolean(agent_id) && Boolean(message?.trim())
    : Boolean(type === 'sync' ? knowledge_source_id : evaluation_id)
