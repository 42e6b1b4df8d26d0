import { useGroups, useMembers } from '../../api/people.ts'
import { Button } from '../../ui/button.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

const maxNames = 5

/** The groups that people, tokens, invitations and access rules name, with their members. */
export function GroupList() {
  const groups = useGroups()
  const members = useMembers()
  const { change } = useListParams()
  if (groups.length === 0) return null
  const rows = groups.map(({ value }) => ({ name: value, people: members.get(value) ?? [] }))
  return (
    <Card title="Groups">
      <p className="muted small">
        A group exists once somebody is in it or an access rule names it. Members come from the last request of each
        person.
      </p>
      <Table
        label="Groups"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          {
            title: 'Group',
            cell: ({ name }) => (
              <Button small variant="quiet" onClick={() => change({ group: name, page: undefined })}>
                {name}
              </Button>
            ),
          },
          {
            title: 'Members',
            cell: ({ people }) =>
              people.length === 0 ? (
                <span className="muted">Nobody yet</span>
              ) : (
                `${people.slice(0, maxNames).join(', ')}${people.length > maxNames ? ` and ${people.length - maxNames} more` : ''}`
              ),
          },
        ]}
      />
    </Card>
  )
}
