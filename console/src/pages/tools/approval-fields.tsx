import { NumberField, TagsField } from '../../ui/field.tsx'
import type { ApiDraft } from './api-draft.ts'

interface Props {
  draft: ApiDraft
  change: (next: Partial<ApiDraft>) => void
  errorAt: (path: string) => string | undefined
}

/** The approvers of a tool's calls, and the time limit for their decision. */
export function ApprovalFields({ draft, change, errorAt }: Props) {
  const { groups = [], users = [] } = draft.approvers ?? {}
  const choose = (next: { groups: string[]; users: string[] }) =>
    change({ approvers: next.groups.length + next.users.length > 0 ? next : null })
  return (
    <>
      <TagsField
        label="Groups that decide"
        hint="Without groups and users, whoever may write in the conversation decides."
        value={groups}
        error={errorAt('approvers.groups') ?? errorAt('approvers')}
        onChange={(names) => choose({ groups: names, users })}
        placeholder="finance"
      />
      <TagsField
        label="Users who decide"
        hint="Their user ids."
        value={users}
        error={errorAt('approvers.users')}
        onChange={(names) => choose({ groups, users: names })}
      />
      <NumberField
        label="Wait for a decision (minutes)"
        hint="Then the call is refused, and the agent goes on."
        value={draft.approval_timeout_minutes}
        min={1}
        max={43200}
        error={errorAt('approval_timeout_minutes')}
        onChange={(minutes) => change({ approval_timeout_minutes: minutes ?? 1440 })}
      />
    </>
  )
}
