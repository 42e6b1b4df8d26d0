import { useAgents } from '../../api/lookups.ts'
import { useMay } from '../../api/permissions.ts'
import { PersonFilter } from '../../parts/person-fields.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { FilterInput, FilterSelect, MoreFilters } from '../../ui/list.tsx'

/** Shown on request. */
const more = ['rating', 'errors', 'user', 'from', 'to', 'cost'] as const

export const filterNames = ['agent', 'status', ...more] as const

const ratings = [
  { value: 'up', label: 'Rated good' },
  { value: 'down', label: 'Rated bad' },
]
const errors = [
  { value: 'true', label: 'With errors' },
  { value: 'false', label: 'Without errors' },
]
const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
]

/** The filters of the URL as parameters of the API. */
export function conversationQuery(search: Record<string, string | undefined>) {
  const { agent, status, rating, errors: hasError, user, from, to, cost } = search
  return {
    agent_id: agent,
    status: status as 'active' | 'completed' | undefined,
    rating: rating as 'up' | 'down' | undefined,
    has_error: hasError === undefined ? undefined : hasError === 'true',
    user_id: user,
    updated_at_gte: from,
    updated_at_lte: to,
    cost_gte: cost === undefined ? undefined : Number(cost),
  }
}

export function Filters() {
  const agents = useAgents()
  const seesAll = useMay()('write-configuration')
  return (
    <>
      <FilterSelect label="Agent" name="agent" all="All agents" options={toOptions(agents.data ?? [])} />
      <FilterSelect label="Status" name="status" all="All statuses" options={statuses} />
      <MoreFilters names={more}>
        <FilterSelect label="Rating" name="rating" all="All ratings" options={ratings} />
        <FilterSelect label="Errors" name="errors" all="With or without errors" options={errors} />
        <FilterInput label="From" name="from" type="date" />
        <FilterInput label="To" name="to" type="date" />
        {seesAll && (
          <>
            <PersonFilter label="User" name="user" />
            <FilterInput label="Min. cost ($)" name="cost" type="number" />
          </>
        )}
      </MoreFilters>
    </>
  )
}
