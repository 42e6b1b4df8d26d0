import { useQuery } from '@tanstack/react-query'
import type { Option } from '../ui/select.tsx'
import { parley } from './parley.ts'
import { useMay } from './permissions.ts'

/** The people of the workspace and their groups, to pick from. Only administrators know them. */
export function usePeople(): { people: Option[]; groups: Option[] } {
  const may = useMay()
  const { data = [] } = useQuery({
    queryKey: ['users', 'all'],
    queryFn: ({ signal }) => parley.users.list({ limit: 100 }, { signal }).all(500),
    enabled: may('administer'),
    staleTime: 60_000,
  })
  const groups = [...new Set(data.flatMap((person) => person.groups))].sort((one, other) => one.localeCompare(other))
  return {
    people: data.map(({ user_id: value, name }) => ({ value, label: name ? `${name} (${value})` : value })),
    groups: groups.map((value) => ({ value, label: value })),
  }
}
