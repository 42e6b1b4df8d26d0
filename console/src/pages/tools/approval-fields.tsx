import type { Fields } from '../../parts/form.ts'
import { NumberField } from '../../ui/field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { ApiDraft } from './api-draft.ts'

/** The approvers of a tool's calls, and the time limit for their decision. */
export function ApprovalFields({ form }: { form: Fields<ApiDraft> }) {
  const { groups = [], users = [] } = form.draft.approvers ?? {}
  const choose = (next: { groups: string[]; users: string[] }) =>
    form.change({ approvers: next.groups.length + next.users.length > 0 ? next : null })
  return (
    <>
      <TagsField
        label="Groups that decide"
        hint="Without groups and users, whoever may write in the conversation decides."
        value={groups}
        error={form.errorAt('approvers.groups') ?? form.errorAt('approvers')}
        onChange={(names) => choose({ groups: names, users })}
        placeholder="finance"
      />
      <TagsField
        label="Users who decide"
        hint="Their user ids."
        value={users}
        error={form.errorAt('approvers.users')}
        onChange={(names) => choose({ groups, users: names })}
      />
      <NumberField
        label="Wait for a decision (minutes)"
        hint="Then the call is refused, and the agent goes on."
        min={1}
        max={43200}
        {...form.field('approval_timeout_minutes', 1440)}
      />
    </>
  )
}
