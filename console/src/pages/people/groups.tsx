import { Badge } from '../../ui/page.tsx'

export const Groups = ({ groups }: { groups: readonly string[] }) =>
  groups.length === 0 ? (
    '–'
  ) : (
    <span className="row">
      {groups.map((group) => (
        <Badge key={group}>{group}</Badge>
      ))}
    </span>
  )
