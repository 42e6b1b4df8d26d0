import { Users } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useGroups } from '../../api/people.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { compact, costOfCalls, count } from '../../ui/format.ts'
import { FilterSelect, useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { Erasures } from './erasures.tsx'
import { GroupList } from './group-list.tsx'
import { Groups } from './groups.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'

const sorts = {
  seen: { sort: 'last_seen_at', order: 'desc' },
  new: { sort: 'first_seen_at', order: 'desc' },
  idle: { sort: 'last_seen_at', order: 'asc' },
  name: { sort: 'user_id', order: 'asc' },
} as const
const labels = [
  { value: 'new', label: 'Newest' },
  { value: 'idle', label: 'Longest not seen' },
  { value: 'name', label: 'User ID' },
]

export default function People() {
  const { search } = useListParams()
  const sorted = sorts[(search.sort ?? 'seen') as keyof typeof sorts] ?? sorts.seen
  const { group } = search
  const groups = useGroups()
  return (
    <ListPage
      title="People"
      lead="Who uses this workspace, with which role and in which groups."
      resource={['users', 'list', sorted, group]}
      read={(query, options) => parley.users.list({ ...query, ...sorted, group }, options)}
      search="Search people"
      none="No matching people"
      filters={{
        names: ['group'],
        controls: (
          <>
            <FilterSelect label="Group" name="group" all="All groups" options={groups} />
            <FilterSelect label="Sort" name="sort" all="Last seen" options={labels} />
          </>
        ),
      }}
      empty={{
        icon: Users,
        title: 'Nobody seen yet',
        text: 'Invite the first person by a link. People appear here when they sign in, use a token with a user ID, or have a conversation.',
      }}
      create={{ label: 'Invite', may: 'administer', dialog: (close) => <Invite onClose={close} /> }}
      to={({ id }) => `/people/${id}`}
      columns={[
        {
          title: 'Person',
          cell: ({ user_id: user, name }) => (
            <>
              {name ?? user}
              {name && <span className="muted two-lines">{user}</span>}
            </>
          ),
        },
        { title: 'Role', minor: true, cell: ({ role }) => (role ? <Badge>{role}</Badge> : '–') },
        { title: 'Groups', minor: true, cell: ({ groups }) => <Groups groups={groups} /> },
        { title: 'Conversations', minor: true, numeric: true, cell: ({ conversations: n }) => count(n) },
        { title: 'Tokens used', minor: true, numeric: true, cell: ({ usage }) => compact(usage.tokens) },
        { title: 'Cost', minor: true, numeric: true, cell: ({ usage }) => costOfCalls(usage) },
        { title: 'Last seen', numeric: true, cell: ({ last_seen_at: at }) => <Ago at={at} /> },
      ]}
    >
      <Invitations />
      <GroupList />
      <Erasures />
    </ListPage>
  )
}
