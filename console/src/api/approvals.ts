import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { parley } from './parley.ts'
import { useMay } from './permissions.ts'

export type Approval = Schemas['Approval']

const refreshEvery = 20_000

/** How many approvals wait for the caller. */
export function useWaitingApprovals(): number {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: ({ signal }) => parley.approvals.list({ may_decide: true, limit: 1 }, { signal }).page(),
    enabled: may('approve'),
    refetchInterval: refreshEvery,
    refetchOnWindowFocus: true,
  })
  return data?.pagination.total ?? 0
}

/** The people who may decide, with names instead of user IDs. */
export const decidersText = (
  { deciders, approvers }: Pick<Approval, 'deciders' | 'approvers'>,
  findName: (id: string) => string,
): string => (approvers?.users ?? []).reduce((text, id) => text.replaceAll(`"${id}"`, () => findName(id)), deciders)
