import type { Fields } from '../../parts/form.ts'
import { GroupsField, UsersField } from '../../parts/person-fields.tsx'
import { CheckField, NumberField } from '../../ui/field.tsx'
import type { ApiDraft } from './api-draft.ts'

/** The approvers of a tool's calls, and the time limit for their decision. */
export function ApprovalFields({ form }: { form: Fields<ApiDraft> }) {
  const { groups = [], users = [], exclude_requester: excludes = false } = form.draft.approvers ?? {}
  const choose = (change: { groups?: string[]; users?: string[]; excludes?: boolean }) => {
    const next = { groups, users, excludes, ...change }
    const names = { groups: next.groups, users: next.users }
    const isNone = names.groups.length + names.users.length === 0 && !next.excludes
    form.change({ approvers: isNone ? null : { ...names, ...(next.excludes && { exclude_requester: true }) } })
  }
  return (
    <>
      <GroupsField
        label="Groups that decide"
        hint="Without groups and users, editors and above decide; if the tool only reads, whoever may write in the conversation."
        value={groups}
        error={form.errorAt('approvers.groups') ?? form.errorAt('approvers')}
        onChange={(names) => choose({ groups: names })}
        placeholder="finance"
      />
      <UsersField
        label="Users who decide"
        value={users}
        error={form.errorAt('approvers.users')}
        onChange={(names) => choose({ users: names })}
      />
      <CheckField
        label="Another person must decide"
        hint="Whoever asked the agent may not decide about its calls."
        value={excludes}
        onChange={(value) => choose({ excludes: value })}
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
